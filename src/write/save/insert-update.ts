import { oncePer } from '../../schema/once-per.ts'
import type { JoinTable, Model } from '../../schema/registry.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { empty, expressionKey, identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { deleteFrom, insertInto, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { sameValue } from '../parse/values.ts'
import { asIds, type DraftRow, type RowReader, rowReader, type StoredRow } from '../rows.ts'
import { WrongAssumption } from '../validate/assumptions.ts'
import { areWholeWhenInserted, areWholeWhenUpdated, shownWith } from './inserted.ts'
import { decodePicture, fileFields, keepsFiles } from './media.ts'
import { insertStatement, rowSource } from './row-source.ts'
import { saveTags } from './tags.ts'

/**
 * Columns that a saving statement returns: ids, then those of the stored form, then those that only the response has.
 */
interface ReturnedColumns {
  /** Select list over alias `t`. */
  readonly select: Sql
  /** The row with the response's columns; undefined if the response does not show the row. */
  shown(row: readonly unknown[]): unknown[] | undefined
}

const ID = sql`t.id`

/** The columns belong to declarations and compiled projections; each update compares them. */
const keyOf = oncePer(expressionKey)

/** Columns of both forms, each returned once. */
function returnedColumns(stored: readonly Sql[], shown: readonly Sql[] | undefined): ReturnedColumns {
  const columns = [ID, ...stored]
  const positions = new Map(columns.map((column, index) => [keyOf(column), index]))
  const shownAt = shown?.map((column) => {
    const key = keyOf(column)
    const position = positions.get(key) ?? columns.push(column) - 1
    positions.set(key, position)
    return position
  })
  return {
    select: join(columns),
    shown: (row) => shownAt?.map((position) => row[position]),
  }
}

/** As `returnedColumns`, for inserted rows. */
const returnedByInsert = (reader: RowReader, shows: WriteContext['shows']): ReturnedColumns =>
  shows ? withShown(reader)(shows) : withoutShown(reader)

const withoutShown = oncePer(({ insertedColumns }: RowReader) => returnedColumns(insertedColumns, undefined))

const withShown = oncePer(({ insertedColumns }: RowReader) =>
  oncePer(({ columns }: NonNullable<WriteContext['shows']>) => returnedColumns(insertedColumns, columns)),
)

/** A row with the stored one before, if any. */
export interface Saved {
  readonly next: DraftRow
  readonly previous: StoredRow | undefined
}

/**
 * Inserts all rows with one statement and sets their ids. Returns the stored rows in order, unless further parts have
 * to be saved first.
 */
export async function insertDrafts(
  context: WriteContext,
  model: Model,
  rows: readonly DraftRow[],
): Promise<readonly StoredRow[] | undefined> {
  if (rows.length === 0) return []
  await settleFiles(
    context,
    model,
    rows.map((next) => ({ next, previous: undefined })),
  )
  const whole = areWholeWhenInserted(model, rows) ? rowReader(context.service, model) : undefined
  const shown = whole && shownWith(context, model)
  const returns = whole && returnedByInsert(whole, shown)
  const condition = context.assumptions?.settle()
  const { predictedIds } = context.transaction
  const statement = insertStatement(model, rows, condition, predictedIds, returns?.select)
  const returning = context.transaction.queryArrays(statement)
  const returned = await returning
  requireAll(context, returned.length, rows)
  // Ids are taken from the sequence in the order of the rows.
  const inserted = returned.toSorted(([one], [other]) => Number(one) - Number(other))
  rows.forEach((row, index) => {
    row.id = Number(inserted[index]?.[0] ?? 0)
  })
  if (!whole || !returns) return undefined
  const fresh = inserted.map((row) => [Number(row[0]), returns.shown(row)] as const)
  context.inserted.set(model.name, new Map(fresh))
  return inserted.map((row) => whole.read(row, 1))
}

/** The effects of an update. */
interface UpdateOutcome {
  /** Keys of the columns in which any row differs from the stored one. */
  readonly changed: ReadonlySet<string>
  /** The stored rows, in any order; undefined if they have to be read. */
  readonly stored: readonly StoredRow[] | undefined
}

/** Updates the columns in which any row differs from the stored one, with one statement. */
export async function updateDrafts(
  context: WriteContext,
  model: Model,
  changes: readonly Saved[],
): Promise<UpdateOutcome> {
  await settleFiles(context, model, changes)
  const columns = [...model.columns.values()].filter(
    (column) =>
      column.key !== 'id' &&
      changes.some(({ next, previous }) => !sameValue(column, next[column.key], previous?.[column.key])),
  )
  if (columns.length === 0) return { changed: new Set(), stored: undefined }
  const source = rowSource(
    columns,
    changes.map(({ next }) => next),
  )
  const assignments = columns.map(({ name }, index) => sql`${identifier(name)} = ${source.values[index]}`)
  const change = {
    rows: changes.map(({ next }) => next.id),
    columns: columns.map(({ name }) => name),
  }
  const statement = sql`
    ${updateTable(model, change)} t set ${join(assignments)} from ${source.from}
    where t.id = q.id${conditionOf(context)}`
  const changed = new Set(columns.map(({ key }) => key))
  if (areWholeWhenUpdated(model, changes)) {
    return {
      changed,
      stored: await updateReturning(context, model, changes, { statement, changed }),
    }
  }
  requireAll(context, await context.transaction.execute(statement), changes)
  return { changed, stored: undefined }
}

/** Executes the update and returns the stored rows: the rows before with the changed values. */
async function updateReturning(
  context: WriteContext,
  model: Model,
  changes: readonly Saved[],
  { statement, changed }: { readonly statement: Sql; readonly changed: ReadonlySet<string> },
): Promise<readonly StoredRow[]> {
  const reader = rowReader(context.service, model).updated(changed)
  const returns = returnedColumns(reader.columns, shownWith(context, model)?.columns)
  const returned = await context.transaction.queryArrays(sql`${statement} returning ${returns.select}`)
  requireAll(context, returned.length, changes)
  const fresh = returned.map((row) => [Number(row[0]), returns.shown(row)] as const)
  context.updated.set(model.name, new Map(fresh))
  const before = new Map(changes.map(({ next, previous }) => [next.id, previous]))
  return returned.flatMap((values) => {
    const previous = before.get(Number(values[0]))
    return previous ? [reader.read(values, 1, previous)] : []
  })
}

/** A further condition for a saving statement: the current assumptions. */
function conditionOf({ assumptions }: WriteContext): Sql {
  const condition = assumptions?.settle()
  return condition ? sql` and ${condition}` : empty
}

/** Throws if a statement saved nothing because its condition did not hold. */
function requireAll({ assumptions }: WriteContext, saved: number, wanted: readonly unknown[]): void {
  if (assumptions && saved < wanted.length) throw new WrongAssumption()
}

/** Saves the rows of join tables and of tags, for all changed many to many fields. */
export async function saveRelations(context: WriteContext, model: Model, changes: readonly Saved[]): Promise<void> {
  for (const [name, field] of model.fields) {
    if (field.kind !== 'manyToMany' && field.kind !== 'tags') continue
    const pairs = changes.flatMap(({ next, previous }) => {
      const [before, after] = [asIds(previous?.[name]), asIds(next[name])]
      return before.length === 0 && after.length === 0 ? [] : [{ id: next.id, before, after }]
    })
    if (pairs.length === 0) continue
    if (field.kind === 'tags') await saveTags(context, model.name, pairs)
    else {
      const relation = context.service.registry.joinTable(model, name, field)
      await saveJoinTable(context, relation, pairs)
    }
  }
}

async function saveJoinTable(
  { transaction }: WriteContext,
  relation: JoinTable,
  changes: readonly {
    readonly id: number
    readonly before: readonly number[]
    readonly after: readonly number[]
  }[],
): Promise<void> {
  const gone: (readonly [number, number])[] = []
  const fresh: (readonly [number, number])[] = []
  for (const { id, before, after } of changes) {
    const [was, will] = [new Set(before), new Set(after)]
    for (const other of was) if (!will.has(other)) gone.push([id, other])
    for (const other of will) if (!was.has(other)) fresh.push([id, other])
  }
  const [own, other] = [identifier(relation.ownColumn), identifier(relation.otherColumn)]
  const pairs = (list: readonly (readonly [number, number])[]) => sql`
    unnest(${list.map(([id]) => id)}::bigint[], ${list.map(([, id]) => id)}::bigint[]) as q(own, other)`
  if (gone.length > 0) {
    await transaction.execute(sql`
      ${deleteFrom(relation)} j using ${pairs(gone)}
      where j.${own} = q.own and j.${other} = q.other`)
  }
  if (fresh.length > 0) {
    await transaction.execute(sql`
      ${insertInto(relation)} (${own}, ${other})
      select q.own, q.other from ${pairs(fresh)} on conflict do nothing`)
  }
}

/**
 * Sets the paths of new files (and the size of an image) in the rows; ends the attempt if the files have not been stored
 * yet. Replaced files are removed after the commit.
 */
async function settleFiles({ media }: WriteContext, model: Model, changes: readonly Saved[]): Promise<void> {
  const changedFiles = fileFields(model).flatMap(([name, field]) =>
    changes.flatMap(({ next, previous }) => {
      const [file, before] = [next[name], previous?.[name]]
      return file === before ? [] : [{ name, field, next, file, before }]
    }),
  )
  media.requireStored(
    changedFiles.flatMap(({ field, next, file }) =>
      file instanceof UploadedFile ? [{ file, directory: field.directory, name: fileName(model, next, file) }] : [],
    ),
  )
  for (const { name, field, next, file, before } of changedFiles) {
    if (file instanceof UploadedFile) {
      const picture = field.image ? await decodePicture(file.bytes) : undefined
      const facts = { height: picture?.height, width: picture?.width, size: file.bytes.length }
      for (const [fact, number] of Object.entries(facts)) {
        if (model.columns.has(`${name}_${fact}`)) next[`${name}_${fact}`] = number ?? null
      }
      next[name] = media.pathOf(file)
    }
    const isReplaced = typeof before === 'string' && before !== ''
    if (isReplaced && !keepsFiles(model)) media.discard(before)
  }
}

/** File name of an upload. Attachments are named after their object, as in the reference. */
function fileName(model: Model, row: DraftRow, file: UploadedFile): string {
  const { object_type: type, object_id: id, name } = row
  if (!model.columns.has('object_type') || typeof type !== 'string') return file.filename
  const dot = file.filename.lastIndexOf('.')
  const extension = dot > 0 ? file.filename.slice(dot) : ''
  const own = typeof name === 'string' && name !== '' ? name + extension : file.filename
  return `${type.split('.')[1]}_${id}_${own}`
}
