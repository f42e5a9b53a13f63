import { join } from 'node:path'
import { currentTimestamp } from '../base/clock.ts'
import type { Progress } from '../base/progress.ts'
import { analyseTables } from '../db/analyse-tables.ts'
import type { Transaction } from '../db/database.ts'
import { liftTimeLimit } from '../db/time-limit.ts'
import { restartHistory } from '../db/versions/restart-history.ts'
import { rebuildSearchIndex } from '../read/search/build-index.ts'
import { WrongValue } from '../schema/fields/kind.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Vault } from '../schema/vault.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { DirectoryStore, mediaStore } from '../write/media/media-store.ts'
import { BrokenRow } from './broken-row.ts'
import { findDangling } from './check-references.ts'
import { type Collection, findCollections } from './collections.ts'
import { type CustomFieldTypes, loadCustomFieldTypes } from './custom-fields.ts'
import { type ExtraFields, HIDDEN_FIELDS, readExtra, SECRETS } from './extra.ts'
import { insertImportedRows, insertNumbered, type PlacedRow } from './insert.ts'
import { copyMedia, MEDIA } from './media.ts'
import { freeTypeIds, reassignTypeIds } from './object-types.ts'
import { parseRow } from './parse-row.ts'
import { readLines } from './read-lines.ts'
import { rebuildAll } from './rebuild.ts'
import { hasRelationsBySlug, insertRelations, insertRelationsBySlug, insertTags } from './relations.ts'
import { resetSequences } from './reset-sequences.ts'
import { endingOf, setSecrets } from './secrets.ts'

interface ImportOptions {
  /** Hashes passwords and seals tokens; if it is absent, the passwords and tokens of the data set are not imported. */
  readonly vault?: Vault
  readonly progress?: (progress: Progress) => void
}

/** Result of an import. */
export interface ImportReport {
  readonly imported: readonly {
    readonly endpoint: string
    readonly rows: number
    /** Rows that did not exist before. */
    readonly added: number
  }[]
  /** Collections of the data set for which there is no model. */
  readonly leftOut: readonly string[]
  /** Number of event rules that run scripts; rules for webhooks and e-mails act after the import. */
  readonly scriptRules: number
  /** Files copied. */
  readonly media: number
}

const BATCH = 2000

/**
 * Loads a data set, one file of objects per endpoint, with its ids, timestamps and change records. It bypasses the
 * write pipeline: no rules run and no change records are written, but derived columns are computed. Rows whose ids
 * exist are skipped, so that a second run changes nothing. All or nothing: throws BrokenRow with file, line and reason.
 */
export async function importDataSet(
  service: Service,
  directory: string,
  { vault, progress = () => undefined }: ImportOptions = {},
): Promise<ImportReport> {
  const { registry, database, cache } = service
  const byPath = new Map([...registry.models.values()].map((model) => [model.path, model]))
  const collections = findCollections(directory).map((collection) => ({
    collection,
    model: byPath.get(collection.endpoint),
  }))
  const importable = collections.flatMap(({ collection, model }) => (model ? [{ collection, model }] : []))
  // Custom field values are parsed by the definitions, which therefore come first.
  importable.sort((one, other) => precedence(one.model) - precedence(other.model))
  const hidden = await readExtra(directory, HIDDEN_FIELDS)
  const secrets = await readExtra(directory, SECRETS)
  const media = await copyMedia({
    from: new DirectoryStore(join(directory, MEDIA)),
    to: mediaStore(service.settings),
  })
  try {
    const imported = await database.transaction((transaction) =>
      new Run(service, transaction, hidden, importable, progress).all(vault, secrets),
    )
    cache.clear()
    await analyseTables(database)
    const leftOut = collections.flatMap(({ collection, model }) => (model ? [] : [collection.endpoint]))
    return { imported, leftOut, scriptRules: await countScriptRules(service), media: media.count }
  } catch (error) {
    await media.undo()
    throw error
  }
}

async function countScriptRules({ registry, database }: Service): Promise<number> {
  if (!registry.models.has(SYSTEM.eventRule)) return 0
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from ${table(SYSTEM.eventRule)} where action_type = 'script'`,
  )
  return row?.count ?? 0
}

const precedence = ({ name }: Model): number => (name === SYSTEM.customField ? 0 : 1)

interface Source {
  readonly collection: Collection
  readonly model: Model
}

/** One import, within its transaction. */
class Run {
  readonly #service: Service
  readonly #transaction: Transaction
  readonly #hidden: ExtraFields
  readonly #sources: readonly Source[]
  readonly #progress: (progress: Progress) => void
  readonly #total: number
  readonly #added = new Map<string, Set<number>>()
  /** Work that waits until all files are loaded, because its rows get higher ids. */
  readonly #later: (() => Promise<void>)[] = []
  #customFields: CustomFieldTypes = new Map()
  readonly #now: string
  #done = 0

  constructor(
    service: Service,
    transaction: Transaction,
    hidden: ExtraFields,
    sources: readonly Source[],
    progress: (progress: Progress) => void,
  ) {
    this.#service = service
    this.#now = currentTimestamp(service.clock)
    this.#transaction = transaction
    this.#hidden = hidden
    this.#sources = sources
    this.#progress = progress
    this.#total = sources.reduce((sum, { collection }) => sum + collection.size, 0)
  }

  async all(vault: Vault | undefined, secrets: ExtraFields): Promise<ImportReport['imported']> {
    const { registry } = this.#service
    const imported: { endpoint: string; rows: number; added: number }[] = []
    await liftTimeLimit(this.#transaction)
    this.#customFields = await loadCustomFieldTypes(this.#transaction)
    for (const source of this.#sources) imported.push(await this.#importCollection(source))
    this.#say('related rows')
    await resetSequences(this.#transaction, registry)
    for (const work of this.#later) await work()
    if (this.#added.has(SYSTEM.objectType)) await reassignTypeIds(this.#transaction, registry)
    if (vault) await setSecrets(this.#transaction, registry, vault, secrets, this.#added)
    // Derived values of the existing rows are already correct.
    if (this.#added.size === 0) return imported
    await this.#checkReferences()
    this.#say('derived values')
    await this.#rebuild()
    await resetSequences(this.#transaction, registry)
    // Otherwise versions from before the import would lack the imported rows.
    await this.#transaction.script(restartHistory(registry))
    this.#say('search index')
    await rebuildSearchIndex(this.#transaction, registry)
    return imported
  }

  async #importCollection({ collection, model }: Source) {
    this.#say(collection.endpoint)
    const seen = new Map<number, number>()
    let batch: { readonly placed: PlacedRow; readonly object: JsonObject }[] = []
    const flush = async () => {
      await this.#insertBatch(model, batch)
      batch = []
    }
    for await (const { number, object } of readLines(collection.path, collection.file)) {
      const placed = this.#place(model, collection, number, object)
      const earlier = seen.get(placed.row.id)
      if (earlier !== undefined) {
        throw new BrokenRow(collection.file, number, `line ${earlier} has the same id`)
      }
      seen.set(placed.row.id, number)
      batch.push({ placed, object })
      if (batch.length >= BATCH) await flush()
    }
    await flush()
    if (model.name === SYSTEM.customField) {
      this.#customFields = await loadCustomFieldTypes(this.#transaction)
    }
    this.#done += collection.size
    const added = this.#added.get(model.name)?.size ?? 0
    return { endpoint: collection.endpoint, rows: seen.size, added }
  }

  #place(model: Model, { endpoint, file }: Collection, line: number, source: JsonObject): PlacedRow {
    const id = typeof source.id === 'number' ? source.id : 0
    const ending = endingOf(model.name, source)
    const object = {
      ...source,
      ...(ending !== null && { _ending: ending }),
      ...this.#hidden.get(endpoint)?.get(id),
    }
    try {
      return { row: parseRow(model, object, this.#customFields, this.#now), file, line }
    } catch (error) {
      if (error instanceof WrongValue) throw new BrokenRow(file, line, error.message)
      throw error
    }
  }

  async #insertBatch(
    model: Model,
    batch: readonly { readonly placed: PlacedRow; readonly object: JsonObject }[],
  ): Promise<void> {
    const { registry } = this.#service
    const rows = batch.map(({ placed }) => placed)
    if (model.name === SYSTEM.objectType) {
      await freeTypeIds(
        this.#transaction,
        registry,
        rows.map(({ row }) => row),
      )
    }
    const ids = await insertImportedRows(this.#transaction, model, rows)
    if (ids.size === 0) return
    const added = this.#added.get(model.name) ?? new Set()
    for (const id of ids) added.add(id)
    this.#added.set(model.name, added)
    const fresh = rows.flatMap(({ row }) => (ids.has(row.id) ? [row] : []))
    await insertRelations(this.#transaction, registry, model, fresh)
    if (hasRelationsBySlug(model)) {
      this.#later.push(() => insertRelationsBySlug(this.#transaction, registry, model, fresh))
    }
    const hasTags = [...model.fields.values()].some(({ kind }) => kind === 'tags')
    if (hasTags && !this.#sources.some((source) => source.model.name === SYSTEM.taggedItem)) {
      this.#later.push(() => insertTags(this.#transaction, registry, model, fresh))
    }
    const { unfold } = model.behaviour ?? {}
    if (!unfold) return
    const unfolded = batch.flatMap(({ placed, object }) => (ids.has(placed.row.id) ? unfold(object) : []))
    for (const [name, group] of Map.groupBy(unfolded, (row) => row.model)) {
      this.#later.push(() =>
        insertNumbered(
          this.#transaction,
          registry.model(name),
          group.map(({ row }) => row),
        ),
      )
    }
  }

  async #checkReferences(): Promise<void> {
    const dangling = await findDangling(this.#transaction, this.#service.registry)
    if (dangling) throw await this.#broken(dangling.model, dangling.id, dangling.reason)
  }

  async #rebuild(): Promise<void> {
    const lost = await rebuildAll(this.#transaction, this.#service.registry)
    if (!lost) return
    throw await this.#broken(lost.model, lost.id, 'the way up leads back to the object itself')
  }

  /** The error for a row that turns out to be broken after its file has been read. */
  async #broken(model: Model, id: number, reason: string): Promise<Error> {
    const collection = this.#sources.find((source) => source.model === model)?.collection
    if (collection) {
      for await (const { number, object } of readLines(collection.path, collection.file)) {
        if (object.id === id) return new BrokenRow(collection.file, number, reason)
      }
    }
    return new Error(`${model.name} ${id}: ${reason}`)
  }

  #say(stage: string): void {
    this.#progress({ done: this.#done, total: this.#total, stage })
  }
}
