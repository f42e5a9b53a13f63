import type { Model } from '../../schema/registry.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { empty, identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { updateTable } from '../../sql/table.ts'
import { WrongAssumption } from '../assumptions.ts'
import type { WriteContext } from '../context.ts'
import { decodePicture, fileFields, keepsFiles } from '../media/transaction-files.ts'
import type { DraftRow, StoredRow } from '../rows.ts'
import { sameValue } from '../values.ts'
import { insertStatement, restoreStatement, rowSource } from './row-source.ts'

/** A row with the stored one before, if any. */
export interface Saved {
  readonly next: DraftRow
  readonly previous: StoredRow | undefined
  /** Message for its change record; empty by default. */
  readonly message?: string
}

/** Inserts all rows with one statement and sets their ids; rows with ids keep these. */
export async function insertDrafts(context: WriteContext, model: Model, rows: readonly DraftRow[]): Promise<void> {
  if (rows.length === 0) return
  await settleFiles(
    context,
    model,
    rows.map((next) => ({ next, previous: undefined })),
  )
  const { transaction, assumptions } = context
  if (rows[0]?.id !== 0) {
    const inserted = await transaction.execute(restoreStatement(model, rows, assumptions?.settle()))
    return requireAll(context, inserted, rows)
  }
  const inserting = insertStatement(model, rows, assumptions?.settle(), transaction.predictedIds)
  const ids = (await transaction.queryColumn(inserting)).map(Number)
  requireAll(context, ids.length, rows)
  // Ids are taken from the sequence in the order of the rows.
  const ordered = ids.toSorted((left, right) => left - right)
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
function requireAll({ assumptions }: WriteContext, saved: number, expected: readonly unknown[]): void {
  if (assumptions && saved < expected.length) throw new WrongAssumption()
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
      const picture = field.image ? await decodePicture(file) : undefined
      const facts = { height: picture?.height, width: picture?.width, size: file.size }
      for (const [fact, number] of Object.entries(facts)) {
        const column = fact === 'size' ? (field.size ?? `${name}_size`) : `${name}_${fact}`
        if (model.columns.has(column)) next[column] = number ?? null
      }
      next[name] = media.pathOf(file)
    }
    const isReplaced = typeof before === 'string' && before !== ''
    if (isReplaced && !keepsFiles(model)) media.discard(before)
  }
}

/** File name of an upload. Attachments are named after their object, as in NetBox. */
function fileName(model: Model, row: DraftRow, file: UploadedFile): string {
  const { object_type: type, object_id: id, name } = row
  if (!model.columns.has('object_type') || typeof type !== 'string') {
    return file.filename === '' && typeof name === 'string' ? name : file.filename
  }
  const dot = file.filename.lastIndexOf('.')
  const extension = dot > 0 ? file.filename.slice(dot) : ''
  const baseName = typeof name === 'string' && name !== '' ? name + extension : file.filename
  return `${type.split('.')[1]}_${id}_${baseName}`
}
