import type { Messages } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { selectTargets } from '../../write/access.ts'
import { requestDefaults, type WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { errorMessagesOf } from '../../write/draft.ts'
import { parseBody } from '../../write/parse/body.ts'
import { loadRows, type StoredRow } from '../../write/rows.ts'
import { updateObjects } from '../../write/update-objects.ts'
import type { SourceColumn } from './columns.ts'
import { clearEmptied, type ImportRow } from './import-row.ts'
import type { Layout } from './name-objects.ts'
import type { Problem } from './records.ts'
import { changesNothing } from './row-changes.ts'

/** Errors of bodies by their position. */
class RowsRefused extends Error {
  override readonly name = 'RowsRefused'
  readonly messages: ReadonlyMap<number, Messages>

  constructor(messages: ReadonlyMap<number, Messages>) {
    super('Some rows are refused')
    this.messages = messages
  }
}

export const isSound = ({ problems }: ImportRow): boolean => problems.length === 0

/**
 * Creates the objects of all valid rows and sets their ids. Refused rows get problems; the others are saved
 * nevertheless, so that rows that refer to them can be checked.
 */
export async function createRows(context: WriteContext, layout: Layout, rows: readonly ImportRow[]): Promise<void> {
  noteFieldErrors(context, layout, rows, 'create')
  let sound = rows.filter(isSound)
  while (sound.length > 0) {
    const tried = sound
    const ids = await orRefused(layout, tried, () =>
      createObjects(
        context,
        layout.model,
        tried.map(({ body }) => body),
        { bulk: true, refusal: (messages) => new RowsRefused(positioned(messages)) },
      ),
    )
    if (ids) {
      tried.forEach((row, index) => {
        row.id = ids[index]
      })
      return
    }
    sound = tried.filter(isSound)
  }
}

/** Adds the errors of single values to rows whose other problems exclude them from the write. */
function noteFieldErrors(
  context: WriteContext,
  layout: Layout,
  rows: readonly ImportRow[],
  mode: 'create' | 'change',
): void {
  const defaults = requestDefaults(context)
  for (const row of rows) {
    if (isSound(row)) continue
    const input = { body: row.body, mode, previous: undefined, defaults }
    const messages = errorMessagesOf(parseBody(layout.registry, layout.model, input))
    const refused = new Set(row.problems.map(({ column }) => column))
    // A value is missing in the body because its cell already has a problem.
    const problems = messages ? problemsOf(layout, row.row, messages) : []
    row.problems.push(...problems.filter(({ column }) => column !== undefined && !refused.has(column)))
  }
}

const positioned = (messages: readonly (Messages | undefined)[]): ReadonlyMap<number, Messages> =>
  new Map(messages.flatMap((message, index) => (message === undefined ? [] : [[index, message] as const])))

/** Result of a write; undefined if rows were refused, which then have problems. */
async function orRefused<T>(
  layout: Layout,
  rows: readonly ImportRow[],
  write: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof RowsRefused)) throw error
    for (const [position, messages] of error.messages) {
      const row = rows[position]
      if (row) row.problems.push(...problemsOf(layout, row.row, messages))
    }
    return undefined
  }
}

/** Rows of the objects that are about to change, by id; `unchanged`: the ids whose rows change nothing. */
export interface Updated {
  readonly before: ReadonlyMap<number, StoredRow>
  readonly unchanged: ReadonlySet<number>
}

/** Changes the objects of all valid rows, as `createRows`. */
export async function updateRows(context: WriteContext, layout: Layout, rows: readonly ImportRow[]): Promise<Updated> {
  const { service, transaction, actor } = context
  const { model, registry } = layout
  if (rows.length === 0) return { before: new Map(), unchanged: new Set() }
  requirePermission(actor, 'change', model, service.settings)
  refuseRepeated(rows)
  const ids = rows.map(({ id = 0 }) => id)
  const permitted = await selectTargets(context, 'change', model, ids)
  const before = new Map((await loadRows(service, transaction, model, permitted)).map((row) => [row.id, row]))
  const unchanged = new Set<number>()
  for (const row of rows) {
    const stored = before.get(row.id ?? 0)
    if (!stored) {
      row.problems.push({
        row: row.row,
        column: layout.columns.find(({ name }) => name === 'id')?.header,
        message: `There is no ${model.definition.labels[0]} with the id ${row.id} that you may change.`,
      })
      continue
    }
    clearEmptied(row, layout.model)
    if (changesNothing(registry, model, row.body, stored)) unchanged.add(stored.id)
  }
  await saveChanges(
    context,
    layout,
    rows.filter(({ id = 0 }) => !unchanged.has(id)),
  )
  return { before, unchanged }
}

async function saveChanges(context: WriteContext, layout: Layout, rows: readonly ImportRow[]): Promise<void> {
  noteFieldErrors(context, layout, rows, 'change')
  let sound = rows.filter(isSound)
  while (sound.length > 0) {
    const tried = sound
    const position = new Map(tried.map(({ id }, index) => [id, index]))
    const isDone = await orRefused(layout, tried, () =>
      updateObjects(
        context,
        layout.model,
        tried.map(({ id = 0, body }) => ({ id, body })),
        {
          partial: true,
          bulk: true,
          refusal: (messages) =>
            new RowsRefused(new Map([...messages].map(([id, rowMessages]) => [position.get(id) ?? 0, rowMessages]))),
        },
      ),
    )
    if (isDone) return
    sound = tried.filter(isSound)
  }
}

function refuseRepeated(rows: readonly ImportRow[]): void {
  const first = new Map<number | undefined, number>()
  for (const row of rows) {
    const earlier = first.get(row.id)
    if (earlier === undefined) first.set(row.id, row.row)
    else row.problems.push({ row: row.row, message: `Row ${earlier} changes the same object.` })
  }
}

/** Errors of a body as problems of the row and its columns. */
function problemsOf(layout: Layout, row: number, messages: Messages): readonly Problem[] {
  if (typeof messages === 'string') return [{ row, message: messages }]
  if (Array.isArray(messages)) return messages.flatMap((message) => problemsOf(layout, row, message))
  return Object.entries(messages).flatMap(([name, said]) => problemsOfField(layout, row, name, said))
}

function problemsOfField(layout: Layout, row: number, name: string, said: Messages): readonly Problem[] {
  if (name === 'custom_fields' && typeof said === 'object' && !Array.isArray(said)) {
    return Object.entries(said).flatMap(([key, messages]) => problemsOfField(layout, row, `cf_${key}`, messages))
  }
  const column = layout.columns.find((candidate) => fieldsOf(layout, candidate).includes(name))
  const isField = name !== 'non_field_errors' && name !== '__all__'
  return textsOf(said).map((text) => ({
    row,
    column: column?.header,
    message: column || !isField ? text : `${name}: ${text}`,
  }))
}

/** Fields of a body to which a column contributes. */
function fieldsOf({ model }: Layout, { name, source }: SourceColumn): readonly string[] {
  if (source.kind !== 'extra') return [name]
  const { assigns, field } = source.extra
  const relation = assigns === undefined ? undefined : model.fields.get(assigns)
  const keys = relation?.kind === 'genericForeignKey' ? genericKeys(assigns ?? '', relation) : undefined
  return [name, ...(field ? [field] : []), ...(assigns ? [assigns] : []), ...(keys ? [keys.id] : [])]
}

function textsOf(messages: Messages): readonly string[] {
  if (typeof messages === 'string') return [messages]
  if (Array.isArray(messages)) return messages.flatMap(textsOf)
  return Object.entries(messages).flatMap(([name, nested]) => textsOf(nested).map((text) => `${name}: ${text}`))
}
