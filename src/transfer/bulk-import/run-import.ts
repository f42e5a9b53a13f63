import { tooManyObjects } from '../../base/errors.ts'
import { SERVICE_ACTOR } from '../../identity/actor.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import type { ImportFollowUp } from '../../schema/import-column.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import type { WriteContext, WriteRequest } from '../../write/context.ts'
import { loadRows, type StoredRow } from '../../write/rows.ts'
import { runWrite } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { customFieldsOf } from '../../write/validate/custom-fields.ts'
import { offeredColumns, readHeader, type SourceColumn } from './columns.ts'
import { createListedComponents } from './components.ts'
import { demandRequired, type ImportRow, startRow } from './import-row.ts'
import { type Layout, nameObjects } from './name-objects.ts'
import { matchNaturalKeys } from './natural-keys.ts'
import type { Problem, Records } from './records.ts'
import { changesOf, type FieldChange } from './row-changes.ts'
import { createRows, isSound, updateRows } from './save-rows.ts'
import { wavesOf } from './waves.ts'

/** The records of an import, and how they are read. */
export interface ImportInput {
  readonly records: Records
  /** Names of columns by header, if they differ; '' leaves a column out. */
  readonly mapping?: Readonly<Record<string, string>> | undefined
  /** Rows without an id change the object whose unique values they have. */
  readonly matchKeys?: boolean | undefined
  /** Makes the slug of a new object without one from its name. */
  readonly slugOf?: ((name: string) => string) | undefined
}

/** The effect of one record on the inventory. */
export interface RecordOutcome {
  readonly row: number
  readonly action: 'create' | 'update' | 'unchanged' | 'refused'
  readonly id: number | undefined
  readonly display: string
  /** For an update: fields with their values. */
  readonly changes: readonly FieldChange[]
  readonly problems: readonly Problem[]
}

export interface ImportResult {
  /** Whether everything has been stored: no row was refused, and it was not a preview. */
  readonly isStored: boolean
  readonly columns: readonly SourceColumn[]
  readonly rows: readonly RecordOutcome[]
  /** Keys of YAML and JSON that the import does not know. */
  readonly ignored: readonly string[]
  /** All problems: of the text, its header and its rows, in this order. */
  readonly problems: readonly Problem[]
}

/** Ends the transaction of a preview, or of an import with problems. */
class RolledBack extends Error {
  override readonly name = 'RolledBack'
  readonly result: ImportResult

  constructor(result: ImportResult) {
    super('The import is not stored')
    this.result = result
  }
}

/**
 * Imports the records, all or none, through the write pipeline; a preview does the same but stores nothing. Problems of
 * rows are part of the result. Throws ApiError if the user may not add or change objects of the model, and for more
 * rows than one request may write.
 */
export async function runImport(
  service: Service,
  request: WriteRequest,
  model: Model,
  input: ImportInput,
  { isPreview }: { readonly isPreview: boolean },
): Promise<ImportResult> {
  const most = service.settings.maxBulkObjects
  const { length } = input.records.records
  if (length > most) throw tooManyObjects(length, most)
  try {
    return await runWrite(service, request, async (context) => {
      const result = await importRecords(context, model, input)
      if (isPreview || result.problems.length > 0) throw new RolledBack(result)
      return { ...result, isStored: true }
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
}

async function importRecords(
  context: WriteContext,
  model: Model,
  { records, mapping, matchKeys = false, slugOf }: ImportInput,
): Promise<ImportResult> {
  const { registry } = context.service
  const columnContext = { registry, model, customFields: await customFieldsOf(context, model) }
  const isLenient = records.format !== 'csv'
  const header = readHeader(columnContext, records.columns, { mapping, isLenient })
  const { columns } = header
  const outer = [...records.problems, ...header.problems]
  const ignored = new Set(header.unknown)
  if (outer.length > 0) {
    return { isStored: false, columns, rows: [], ignored: [...ignored], problems: outer }
  }

  const view = registry.view(model)
  const layout: Layout = { registry, model, columns }
  const rows = records.records.map((record) => startRow(record, columns))
  const offered = offeredColumns(columnContext)
  const { waves, parents } = wavesOf(layout, rows)
  const done: Finished = { before: new Map(), unchanged: new Set(), updated: new Set() }
  for (const everyRow of waves) {
    const wave = withoutOrphans(everyRow, parents)
    await nameObjects(context, layout, wave)
    for (const row of wave) {
      Object.assign(row.body, view.importBody?.(row.values))
      for (const [name, message] of Object.entries(view.importRefusals?.(row.values) ?? {})) {
        const column = columns.find((candidate) => candidate.name === name)?.header
        row.problems.push({ row: row.row, column, message })
      }
    }
    if (matchKeys) await matchNaturalKeys(context, model, wave)
    const created = wave.filter(({ id }) => id === undefined)
    const updated = wave.filter(({ id }) => id !== undefined)
    if (slugOf && model.fields.has('slug')) for (const row of created) deriveSlug(row, slugOf)
    for (const row of created) demandRequired(row, offered, columns)
    setAuthor(context, layout, created)
    if (created.length > 0) requirePermission(context.actor, 'add', model, context.service.settings)
    await createRows(context, layout, created)
    const names = await createListedComponents(context, layout, created.filter(isSound))
    for (const name of names) ignored.add(name)
    refuseComponents(layout, updated)
    note(done, updated, await updateRows(context, layout, updated))
    await saveFollowUps(context, layout, wave.filter(isSound))
  }
  const imported = await describeRows(context, model, rows, done)
  return {
    isStored: false,
    columns,
    rows: imported,
    ignored: [...ignored],
    problems: imported.flatMap((row) => row.problems),
  }
}

/** Fills an empty slug in from the name, as forms do. */
function deriveSlug({ body }: ImportRow, slugOf: (name: string) => string): void {
  const name = body.name ?? body.model
  if (body.slug === undefined && typeof name === 'string' && slugOf(name) !== '') body.slug = slugOf(name)
}

/** Enters the importing user if the view says so. */
function setAuthor({ actor }: WriteContext, layout: Layout, rows: readonly ImportRow[]): void {
  const { importAuthor } = layout.registry.view(layout.model)
  if (importAuthor === undefined || actor.id === SERVICE_ACTOR.id) return
  for (const row of rows) row.body[importAuthor] ??= actor.id
}

/** Refuses rows that refer to a refused row, since they cannot be checked; returns the others. */
function withoutOrphans(
  wave: readonly ImportRow[],
  parents: ReadonlyMap<ImportRow, readonly ImportRow[]>,
): readonly ImportRow[] {
  return wave.filter((row) => {
    const refused = parents.get(row)?.find((parent) => !isSound(parent))
    if (refused) {
      const message = `Row ${refused.row}, to which this row refers, is refused.`
      row.problems.push({ row: row.row, message })
    }
    return !refused
  })
}

/** Components belong to new objects. */
function refuseComponents({ columns }: Layout, updated: readonly ImportRow[]): void {
  for (const { header, source } of columns) {
    if (source.kind !== 'components') continue
    for (const row of updated) {
      if (row.cells[header] === undefined) continue
      const message = 'Components can be created only with a new object.'
      row.problems.push({ row: row.row, column: header, message })
    }
  }
}

/** The updates of all waves. */
interface Finished {
  readonly before: Map<number, StoredRow>
  readonly unchanged: Set<number>
  readonly updated: Set<ImportRow>
}

function note(
  done: Finished,
  rows: readonly ImportRow[],
  { before, unchanged }: Awaited<ReturnType<typeof updateRows>>,
): void {
  for (const row of rows) done.updated.add(row)
  for (const [id, stored] of before) done.before.set(id, stored)
  for (const id of unchanged) done.unchanged.add(id)
}

async function describeRows(
  context: WriteContext,
  model: Model,
  rows: readonly ImportRow[],
  { before, unchanged, updated }: Finished,
): Promise<readonly RecordOutcome[]> {
  const sound = rows.filter(isSound)
  const stored = await loadRows(
    context.service,
    context.transaction,
    model,
    sound.map(({ id = 0 }) => id),
  )
  const after = new Map(stored.map((row) => [row.id, row]))
  const revised = sound.flatMap((row) => {
    const revision = { before: before.get(row.id ?? 0), after: after.get(row.id ?? 0) }
    return updated.has(row) && revision.before && revision.after
      ? [{ row, revision: { before: revision.before, after: revision.after } }]
      : []
  })
  const changes = await changesOf(
    context,
    model,
    revised.map(({ revision }) => revision),
  )
  const changesByRow = new Map(revised.map(({ row }, index) => [row, changes[index] ?? []]))
  return rows.map((row) => ({
    row: row.row,
    action: actionOf(row, { unchanged, updated }),
    id: row.id,
    display: after.get(row.id ?? 0)?.display ?? '',
    changes: changesByRow.get(row) ?? [],
    problems: row.problems,
  }))
}

function actionOf(
  row: ImportRow,
  { unchanged, updated }: Pick<Finished, 'unchanged' | 'updated'>,
): RecordOutcome['action'] {
  if (!isSound(row)) return 'refused'
  if (!updated.has(row)) return 'create'
  return unchanged.has(row.id ?? 0) ? 'unchanged' : 'update'
}

/** Makes the changes to other objects that the saved rows require: one write for each model. */
async function saveFollowUps(
  context: WriteContext,
  { registry, model }: Layout,
  rows: readonly ImportRow[],
): Promise<void> {
  const { importFollowUps } = registry.view(model)
  if (!importFollowUps) return
  const followUps = rows.flatMap((row) =>
    row.id === undefined ? [] : importFollowUps(row.values, row.id, row.body).map((followUp) => ({ row, followUp })),
  )
  for (const [name, group] of Map.groupBy(followUps, ({ followUp }) => followUp.model)) {
    const targets = mergedTargets(group.map(({ followUp }) => followUp))
    const changed = await updateObjects(context, registry.model(name), targets, {
      partial: true,
      bulk: true,
    })
    for (const { row, followUp } of group) {
      if (changed.includes(followUp.id)) continue
      const message = `There is no ${name} with the id ${followUp.id} that you may change.`
      row.problems.push({ row: row.row, message })
    }
  }
}

/** One target for each object. */
function mergedTargets(followUps: readonly ImportFollowUp[]) {
  const bodies = new Map<number, Readonly<Record<string, unknown>>>()
  for (const { id, body } of followUps) bodies.set(id, { ...bodies.get(id), ...body })
  return [...bodies].map(([id, body]) => ({ id, body }))
}
