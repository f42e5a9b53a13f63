import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { currentTimestamp } from '../base/clock.ts'
import type { Progress } from '../base/progress.ts'
import { analyseTables } from '../db/analyse-tables.ts'
import type { Transaction } from '../db/database.ts'
import { liftTimeLimit } from '../db/time-limit.ts'
import { restartHistory } from '../db/versions/restart-history.ts'
import { SERVICE_ACTOR, type User } from '../identity/actor.ts'
import { rebuildSearchIndex } from '../read/search/build-index.ts'
import { isJsonObject } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Vault } from '../schema/vault.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { WriteContext } from '../write/context.ts'
import { DirectoryStore, mediaStore } from '../write/media/media-store.ts'
import { TransactionFiles } from '../write/media/transaction-files.ts'
import { takeUpsertLocks } from '../write/save/locks.ts'
import { openContext } from '../write/transaction.ts'
import { brokenRules, refusingRules } from '../write/validate/refusing-rules.ts'
import { BrokenRow } from './broken-row.ts'
import { findDangling } from './check-references.ts'
import { findCollections } from './collections.ts'
import { applyChanges, applyInputs, freeNames } from './counterparts/changes.ts'
import {
  type Change,
  type Comparison,
  compare,
  endDigests,
  isFollowed,
  type Preference,
  sourceEnds,
} from './counterparts/comparison.ts'
import { type UnclearRow, unclearText, withConditions } from './counterparts/conditions.ts'
import { Counterparts, isImportable, keepIds } from './counterparts/counterparts.ts'
import { creation, digestsOfSource } from './counterparts/digests.ts'
import { storeEntries } from './counterparts/import-map.ts'
import {
  type Choices,
  identifyingModels,
  inKeyOrder,
  type MatchedCollection,
  Matching,
} from './counterparts/matching.ts'
import {
  type Ambiguity,
  type CollectionPlan,
  decisionText,
  type ImportPlan,
  ImportRefused,
  needsConsent,
} from './counterparts/plan.ts'
import type { Meanings } from './counterparts/references.ts'
import {
  byPrecedence,
  embeddedRows,
  type Source,
  type SourceRow,
  SourceRows,
  type Unfold,
} from './counterparts/source-rows.ts'
import { translated } from './counterparts/translation.ts'
import { type CustomFieldType, loadCustomFieldTypes } from './custom-fields.ts'
import { type ExtraFields, HIDDEN_FIELDS, readExtra, SECRETS } from './extra.ts'
import { insertImportedRows, insertNumbered, type PlacedRow } from './insert.ts'
import { copyMedia, MEDIA } from './media.ts'
import { freeTypeIds, reassignTypeIds } from './object-types.ts'
import type { ImportedRow } from './parse-row.ts'
import { readLines } from './read-lines.ts'
import { rebuildAll } from './rebuild.ts'
import { hasRelationsBySlug, insertRelations, insertRelationsBySlug, insertTags } from './relations.ts'
import { resetSequences, resetSequencesForNow } from './reset-sequences.ts'
import { setSecrets } from './secrets.ts'
import { holdsNothing } from './source-version.ts'

export interface ImportOptions {
  /** Hashes passwords and seals tokens; if it is absent, the passwords and tokens of the data set are not imported. */
  readonly vault?: Vault
  readonly progress?: (progress: Progress) => void
  /** Name under which later imports find the objects again; by default the path of the directory. */
  readonly source?: string | undefined
  /** Which values win where an object here differs from the source's; by default those here. */
  readonly prefer?: Preference | undefined
  /** Decisions about ambiguous objects. */
  readonly choices?: Choices | undefined
  /** The user that change records name. */
  readonly actor?: User | undefined
  /** Called with the plan before anything is written; throws to stop the import. */
  readonly confirm?: ((plan: ImportPlan) => void) | undefined
}

/** Result of an import. */
export interface ImportReport {
  readonly plan: ImportPlan
  readonly imported: readonly {
    readonly endpoint: string
    readonly rows: number
    /** Rows that did not exist before. */
    readonly added: number
  }[]
  /** Ids of the objects that did not exist before, by the name of their model. */
  readonly created: ReadonlyMap<string, ReadonlySet<number>>
  /** Collections of the data set for which there is no model. */
  readonly leftOut: readonly string[]
  /** Number of event rules that run scripts; rules for webhooks and e-mails act after the import. */
  readonly scriptRules: number
  /** Files copied. */
  readonly media: number
  /** Sentences about rows that a person has to check. */
  readonly notes: readonly string[]
}

/**
 * Loads a data set, one file of objects per endpoint, with timestamps and change records. New objects bypass the write
 * pipeline: the rules of models do not run and no change records are written, but derived columns are computed. Objects
 * that are here already are found again (`counterparts/matching.ts`); changes of them are recorded. All or nothing:
 * throws BrokenRow with file, line and reason, or ImportRefused, also if a rule of users refuses an object.
 */
export async function importDataSet(
  service: Service,
  directory: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { database, cache } = service
  const { sources, leftOut } = sourcesOf(service, directory)
  const run = { service, directory, options, sources, hidden: await readExtra(directory, HIDDEN_FIELDS) }
  const secrets = await readExtra(directory, SECRETS)
  const from = new DirectoryStore(join(directory, MEDIA))
  const media = await copyMedia({ from, to: mediaStore(service.settings) })
  const files = new TransactionFiles(mediaStore(service.settings))
  try {
    const { plan, imported, created, notes } = await files.run(() =>
      database.transaction((transaction) =>
        new Run({ ...run, renamedFiles: media.renamed, files, transaction }).all(secrets),
      ),
    )
    await files.committed()
    cache.clear()
    await analyseTables(database)
    const scriptRules = await countScriptRules(service)
    return { plan, imported, created, leftOut, scriptRules, media: media.count, notes }
  } catch (error) {
    await files.rolledBack()
    await media.undo()
    throw error
  }
}

/** What `importDataSet` would do. Changes nothing. */
export async function planImport(
  service: Service,
  directory: string,
  options: ImportOptions = {},
): Promise<ImportPlan> {
  const { sources } = sourcesOf(service, directory)
  const run = { service, directory, options, sources, hidden: await readExtra(directory, HIDDEN_FIELDS) }
  const store = mediaStore(service.settings)
  const media = await copyMedia({ from: new DirectoryStore(join(directory, MEDIA)), to: store, isTrial: true })
  const files = new TransactionFiles(store, { isDryRun: true })
  return await service.database.rollBack((transaction) =>
    new Run({ ...run, renamedFiles: media.renamed, files, transaction }).planAndTry(),
  )
}

function sourcesOf({ registry }: Service, directory: string) {
  const byPath = new Map([...registry.models.values()].map((model) => [model.path, model]))
  const sources: Source[] = []
  const leftOut: string[] = []
  for (const collection of findCollections(directory)) {
    const model = byPath.get(collection.endpoint)
    if (model) sources.push({ collection, model })
    else leftOut.push(collection.endpoint)
  }
  // Custom field values are parsed by the definitions, which therefore come first.
  return { sources: sources.sort(byPrecedence), leftOut }
}

async function countScriptRules({ registry, database }: Service): Promise<number> {
  if (!registry.models.has(SYSTEM.eventRule)) return 0
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from ${table(SYSTEM.eventRule)} where action_type = 'script'`,
  )
  return row?.count ?? 0
}

interface RunOptions {
  readonly service: Service
  readonly transaction: Transaction
  readonly files: TransactionFiles
  readonly sources: readonly Source[]
  readonly hidden: ExtraFields
  readonly renamedFiles: ReadonlyMap<string, string>
  readonly directory: string
  readonly options: ImportOptions
}

/** The author of changes that no user has ordered. */
const IMPORTER: User = { ...SERVICE_ACTOR, username: 'import' }

/** One import, within its transaction. */
class Run {
  readonly #service: Service
  readonly #transaction: Transaction
  readonly #context: WriteContext
  readonly #sources: readonly Source[]
  readonly #options: ImportOptions
  readonly #source: string
  readonly #rows: SourceRows
  readonly #total: number
  readonly #added = new Map<string, Set<number>>()
  readonly #unclear: UnclearRow[] = []
  /** Work that waits until all files are loaded, because its rows get higher ids. */
  readonly #later: (() => Promise<void>)[] = []
  #typeNames: ReadonlyMap<number, string> = new Map()
  #counterparts: Counterparts | undefined
  #changes: readonly Change[] = []
  #isNew = true
  #done = 0

  constructor({ service, transaction, files, sources, hidden, renamedFiles, directory, options }: RunOptions) {
    this.#service = service
    this.#transaction = transaction
    this.#sources = sources
    this.#options = options
    this.#source = options.source ?? resolve(directory)
    const { registry } = service
    const now = currentTimestamp(service.clock)
    this.#rows = new SourceRows({ registry, hidden, now, renamedFiles })
    this.#context = openContext(
      service,
      { actor: options.actor ?? IMPORTER, requestId: randomUUID(), assumptions: undefined },
      { transaction, media: files, wouldChange: undefined },
    )
    this.#total = sources.reduce((sum, { collection }) => sum + collection.size, 0)
  }

  /** Finds the counterparts of all objects and compares them. Writes only what the next import compares with. */
  async plan(): Promise<ImportPlan> {
    const { registry } = this.#service
    await liftTimeLimit(this.#transaction)
    takeUpsertLocks(
      this.#context,
      this.#sources.map(({ model }) => model),
    )
    this.#isNew = await holdsNothing(this.#service, this.#transaction)
    const models = [...registry.models.values()].filter(
      // An empty database takes over the numbers of object types.
      (model) => isImportable(model) && !(this.#isNew && model.name === SYSTEM.objectType),
    )
    this.#counterparts = await Counterparts.open(this.#transaction, registry, this.#source, models)
    const conflicts = await this.#readDefinitions()
    const base = { source: this.#source, isNew: this.#isNew, notes: [], refused: [] }
    if (this.#counterparts.areAllNew) return { ...base, collections: [], ambiguous: [] }
    return { ...base, ...(await this.#analyse(conflicts)) }
  }

  async #analyse(conflicts: readonly Ambiguity[]): Promise<Pick<ImportPlan, 'collections' | 'ambiguous'>> {
    const { registry } = this.#service
    const run = {
      context: this.#context,
      counterparts: this.#known,
      rows: this.#rows,
      meanings: () => this.#meanings(),
      choices: this.#options.choices ?? new Map(),
      prefer: this.#options.prefer ?? ('here' as const),
    }
    const matching = new Matching(run)
    const matched = new Map<Source, MatchedCollection>()
    for (const source of inKeyOrder(this.#sources, (model) => identifyingModels({ registry }, model))) {
      this.#say(`comparing ${source.collection.endpoint}`)
      matched.set(source, await matching.match(source))
    }
    const ambiguous = [...conflicts, ...matching.ambiguous]
    const changes: Change[] = []
    const collections: CollectionPlan[] = []
    for (const source of this.#sources) {
      const matches = matched.get(source) ?? { rows: 0, matched: new Set() }
      // Objects without a decision have no id here yet.
      const nothing: Comparison = { changes: [], equal: 0, kept: 0, examples: [] }
      const compared = ambiguous.length > 0 ? nothing : await compare(run, source, matches)
      changes.push(...compared.changes)
      collections.push(planOf(this.#known, source, matches, compared))
    }
    await this.#rememberDeleted()
    this.#changes = changes
    return { collections, ambiguous }
  }

  async all(secrets: ExtraFields): Promise<Pick<ImportReport, 'plan' | 'imported' | 'created' | 'notes'>> {
    const { registry } = this.#service
    const plan = await this.plan()
    if (plan.ambiguous.length > 0) throw new ImportRefused(decisionText(plan))
    this.#options.confirm?.(plan)
    const rules = await refusingRules(this.#context)
    const { imported, notes } = await this.#write(secrets)
    const report = { plan, imported, created: this.#added, notes }
    if (!this.#writes) return report
    const refused = await this.#refusals(rules)
    if (refused.length > 0) throw new ImportRefused(refused.join('\n'))
    // Otherwise versions from before the import would lack the imported rows.
    if (this.#isNew) await this.#transaction.script(restartHistory(registry))
    this.#say('search index')
    await rebuildSearchIndex(this.#transaction, registry)
    return report
  }

  /**
   * The plan. If a person sees it before the import, and rules refuse writes, it says which objects they refuse: all is
   * written then, in a transaction that is rolled back.
   */
  async planAndTry(): Promise<ImportPlan> {
    const plan = await this.plan()
    if (plan.ambiguous.length > 0 || !needsConsent(plan)) return plan
    const rules = await refusingRules(this.#context)
    if (rules.length === 0) return plan
    await this.#write()
    return { ...plan, refused: this.#writes ? await this.#refusals(rules) : [] }
  }

  get #writes(): boolean {
    return this.#added.size + this.#changes.length > 0
  }

  /** Sentences about the objects that would break rules which existed before the import; none if it is allowed. */
  async #refusals(rules: Awaited<ReturnType<typeof refusingRules>>): Promise<readonly string[]> {
    this.#say('rules')
    const broken = await brokenRules(this.#context, rules, SHOWN_REFUSALS)
    if (broken.length === 0) return []
    const lines = broken.flatMap(({ rule: { model, stored }, names }) =>
      names.map((name) => `  ${model.definition.labels[0]} ${name}: ${stored.message}`),
    )
    const most = lines.length >= SHOWN_REFUSALS ? [`  These are the first ${SHOWN_REFUSALS}.`] : []
    return ['Rules refuse the import, because these objects would break them:', ...lines, ...most]
  }

  /** Writes all objects. `secrets`: undefined for a trial, which is rolled back. */
  async #write(secrets?: ExtraFields): Promise<Pick<ImportReport, 'imported' | 'notes'>> {
    const { registry } = this.#service
    const { vault } = this.#options
    const numbered = secrets === undefined ? resetSequencesForNow : resetSequences
    await freeNames(this.#context, this.#changes)
    const imported: { endpoint: string; rows: number; added: number }[] = []
    for (const source of this.#sources) imported.push(await this.#importCollection(source))
    const report = { imported, notes: this.#unclear.map(unclearText) }
    if (!this.#writes) return report
    this.#say('related rows')
    await numbered(this.#transaction, registry)
    for (const work of this.#later) await work()
    if (this.#isNew && this.#added.has(SYSTEM.objectType)) await reassignTypeIds(this.#transaction, registry)
    if (vault && secrets) await setSecrets(this.#transaction, registry, vault, this.#localSecrets(secrets), this.#added)
    // Derived values of the existing rows are already correct.
    if (this.#added.size > 0) {
      await this.#checkReferences()
      this.#say('derived values')
      await this.#rebuild()
      await numbered(this.#transaction, registry)
    }
    await keepIds(this.#transaction, registry, this.#known)
    this.#say('changes')
    await applyChanges(this.#context, this.#changes)
    await applyInputs(this.#context, this.#changes)
    return report
  }

  get #known(): Counterparts {
    if (!this.#counterparts) throw new Error('The counterparts are found by plan()')
    return this.#counterparts
  }

  #meanings(): Meanings {
    const { registry } = this.#service
    return { registry, customFields: this.#rows.customFields, typeNames: this.#typeNames }
  }

  /**
   * Reads the types of the source's custom fields, by which values are parsed, and the names of its object types.
   * Returns the custom fields that have another type here.
   */
  async #readDefinitions(): Promise<readonly Ambiguity[]> {
    const types = new Map(await loadCustomFieldTypes(this.#transaction))
    const typeNames = new Map<number, string>()
    const conflicts: Ambiguity[] = []
    for (const { collection, model } of this.#sources) {
      if (model.name === SYSTEM.customField) {
        for await (const { object } of readLines(collection.path, collection.file)) {
          const { id, name, related_object_type: related } = object
          const type = isJsonObject(object.type) ? object.type.value : (object.type ?? TEXT)
          if (typeof name !== 'string' || typeof type !== 'string' || typeof id !== 'number') continue
          const definition: CustomFieldType = { type, relatedType: typeof related === 'string' ? related : undefined }
          const local = types.get(name)
          if (local && (local.type !== type || local.relatedType !== definition.relatedType)) {
            const reason = `the values of this field are of the type ${local.type} here, and ${type} at the source`
            conflicts.push({ model: model.name, sourceId: id, display: name, reason, candidates: [] })
          }
          types.set(name, local ?? definition)
        }
      } else if (model.name === SYSTEM.objectType && !this.#known.areAllNew) {
        for await (const { object } of readLines(collection.path, collection.file)) {
          if (typeof object.id === 'number') typeNames.set(object.id, `${object.app_label}.${object.model}`)
        }
      }
    }
    this.#rows.customFields = types
    this.#typeNames = typeNames
    return conflicts
  }

  async #importCollection(source: Source) {
    const { collection, model } = source
    this.#say(collection.endpoint)
    let rows = 0
    for await (const batch of this.#rows.batches(source)) {
      rows += batch.length
      await this.#insertBatch(
        model,
        batch.filter(({ placed }) => this.#known.isCreated(model.name, placed.row.id)),
      )
    }
    this.#done += collection.size
    const added = this.#added.get(model.name)?.size ?? 0
    return { endpoint: collection.endpoint, rows, added }
  }

  async #insertBatch(model: Model, batch: readonly SourceRow[]): Promise<void> {
    if (batch.length === 0) return
    const { registry } = this.#service
    const placed = await translated(
      this.#known,
      this.#meanings(),
      model,
      batch.map((sourceRow) => sourceRow.placed),
    )
    const { rows, unclear } = withConditions(this.#known, registry, model, placed)
    this.#unclear.push(...unclear)
    const values = rows.map(({ row }) => row)
    if (this.#isNew && model.name === SYSTEM.objectType) await freeTypeIds(this.#transaction, registry, values)
    const ids = await insertImportedRows(this.#transaction, model, rows)
    await this.#remember(model, batch, rows)
    if (ids.size === 0) return
    const added = this.#added.get(model.name) ?? new Set()
    for (const id of ids) added.add(id)
    this.#added.set(model.name, added)
    const fresh = values.filter(({ id }) => ids.has(id))
    await insertRelations(this.#transaction, registry, model, fresh)
    if (hasRelationsBySlug(model)) {
      this.#later.push(() => insertRelationsBySlug(this.#transaction, registry, model, fresh))
    }
    const hasTags = [...model.fields.values()].some(({ kind }) => kind === 'tags')
    if (hasTags && !this.#sources.some((source) => source.model.name === SYSTEM.taggedItem)) {
      this.#later.push(() => insertTags(this.#transaction, registry, model, fresh))
    }
    const { unfold } = model.behaviour ?? {}
    if (unfold) {
      const created = batch.filter((_, index) => ids.has(values[index]?.id ?? 0))
      await this.#unfold(unfold, created)
    }
  }

  /** Rows that responses show only within these objects. */
  async #unfold(unfold: Unfold, batch: readonly SourceRow[]): Promise<void> {
    const { registry } = this.#service
    const unfolded = batch.flatMap((sourceRow) => embeddedRows(unfold, sourceRow))
    for (const [name, group] of Map.groupBy(unfolded, (embedded) => embedded.model)) {
      this.#later.push(async () => {
        const model = registry.model(name)
        const created = group.filter(({ placed: { row } }) => row.id === 0 || this.#known.isCreated(name, row.id))
        const placed = created.map((embedded) => embedded.placed)
        const rows = await translated(this.#known, this.#meanings(), model, placed)
        await insertNumbered(
          this.#transaction,
          model,
          rows.map(({ row }) => (row.id === 0 ? withoutId(row) : row)),
        )
      })
    }
  }

  /** Stores the objects with their counterparts, for the next import of the source. */
  async #remember(model: Model, batch: readonly SourceRow[], rows: readonly PlacedRow[]): Promise<void> {
    if (model.name === SYSTEM.taggedItem) return
    const counterparts = this.#known
    const followed = isFollowed(model)
    const ends = followed ? sourceEnds({ context: this.#context, counterparts }, model, batch) : undefined
    const entries = batch.flatMap(({ placed: { row: sourceRow }, object }, index) => {
      const row = rows[index]?.row
      if (!row) return []
      const digests = followed
        ? { ...digestsOfSource(model, row, object), ...endDigests(ends?.get(sourceRow.id)) }
        : creation(model, row, object)
      const isEmpty = Object.keys(digests).length === 0
      return [{ sourceId: sourceRow.id, localId: row.id, digests: isEmpty ? null : digests }]
    })
    await storeEntries(this.#transaction, this.#source, model.name, entries)
    await this.#rememberDeleted()
  }

  /** Stores the ids that objects have here which the source has deleted. */
  async #rememberDeleted(): Promise<void> {
    const deleted = [...this.#known.takeDeleted()]
    for (const [name, list] of Map.groupBy(deleted, ([model]) => model)) {
      const entries = list.map(([, sourceId, localId]) => ({ sourceId, localId, digests: null }))
      await storeEntries(this.#transaction, this.#source, name, entries)
    }
  }

  /** The secrets by the ids here. */
  #localSecrets(secrets: ExtraFields): ExtraFields {
    const { registry } = this.#service
    const byPath = new Map([...registry.models.values()].map(({ path, name }) => [path, name]))
    return new Map(
      [...secrets].map(([path, fields]) => {
        const name = byPath.get(path) ?? ''
        return [path, new Map([...fields].map(([id, values]) => [this.#known.local(name, id) ?? id, values]))]
      }),
    )
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
      const sourceId = this.#known.sourceIdOf(model.name, id)
      for await (const { number, object } of readLines(collection.path, collection.file)) {
        if (object.id === sourceId) return new BrokenRow(collection.file, number, reason)
      }
    }
    return new Error(`${model.name} ${id}: ${reason}`)
  }

  #say(stage: string): void {
    this.#options.progress?.({ done: this.#done, total: this.#total, stage })
  }
}

/** Maximum number of objects that a refusal names. */
const SHOWN_REFUSALS = 20

/** Type of custom fields that name none. */
const TEXT = 'text'

const withoutId = ({ id: _, ...values }: ImportedRow): Readonly<Record<string, unknown>> => values

function planOf(
  counterparts: Counterparts,
  { collection, model }: Source,
  { rows, matched }: MatchedCollection,
  { changes, equal, kept, examples }: Comparison,
): CollectionPlan {
  return {
    ...{ model, endpoint: collection.endpoint, rows, equal, kept, examples },
    created: counterparts.countCreated(model.name, rows),
    renumbered: counterparts.renumbered(model.name),
    changed: changes.length,
    // Object types are known by their names everywhere.
    matched: model.name === SYSTEM.objectType ? 0 : matched.size,
  }
}
