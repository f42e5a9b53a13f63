import type { JoinTable, Model } from '../../schema/registry.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { empty, identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { deleteFrom, insertInto, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { sameValue } from '../parse/values.ts'
import { asIds, type DraftRow, type StoredRow } from '../rows.ts'
import { WrongAssumption } from '../validate/assumptions.ts'
import { decodePicture, fileFields, keepsFiles } from './media.ts'
import { insertStatement, rowSource } from './row-source.ts'
import { saveTags } from './tags.ts'

/** A row with the stored one before, if any. */
export interface Saved {
  readonly next: DraftRow
  readonly previous: StoredRow | undefined
}

/** Inserts all rows with one statement and sets their ids. */
export async function insertDrafts(context: WriteContext, model: Model, rows: readonly DraftRow[]): Promise<void> {
  if (rows.length === 0) return
  await settleFiles(
    context,
    model,
    rows.map((next) => ({ next, previous: undefined })),
  )
  const { transaction, assumptions } = context
  const inserting = insertStatement(model, rows, assumptions?.settle(), transaction.predictedIds)
  const ids = (await transaction.queryColumn(inserting)).map(Number)
  requireAll(context, ids.length, rows)
  // Ids are taken from the sequence in the order of the rows.
  const ordered = ids.toSorted((one, other) => one - other)
  rows.forEach((row, index) => {
    row.id = ordered[index] ?? 0
  })
}

/**
 * Updates the columns in which any row differs from the stored one, with one statement. Returns the keys of these
 * columns.
 */
export async function updateDrafts(
  context: WriteContext,
  model: Model,
  changes: readonly Saved[],
): Promise<ReadonlySet<string>> {
  await settleFiles(context, model, changes)
  const columns = [...model.columns.values()].filter(
    (column) =>
      column.key !== 'id' &&
      changes.some(({ next, previous }) => !sameValue(column, next[column.key], previous?.[column.key])),
  )
  if (columns.length === 0) return new Set()
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
  requireAll(context, await context.transaction.execute(statement), changes)
  return new Set(columns.map(({ key }) => key))
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
