import type { Transaction } from '../db/database.ts'
import { ConstraintViolation, StatementFailed } from '../db/failures.ts'
import type { Column } from '../schema/column.ts'
import type { Model } from '../schema/registry.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { insertTexts } from '../sql/insert-texts.ts'
import type { Queryable } from '../sql/queryable.ts'
import { insertInto } from '../sql/table.ts'
import { encodeValue } from '../write/values.ts'
import { BrokenRow } from './broken-row.ts'
import type { ImportedRow } from './parse-row.ts'

/** A row with its position in the data set. */
export interface PlacedRow {
  readonly row: ImportedRow
  readonly file: string
  readonly line: number
}

/**
 * Inserts rows whose ids are not in use and returns their ids. Throws BrokenRow for the first one that the database
 * refuses.
 */
export async function insertImportedRows(
  transaction: Transaction,
  model: Model,
  rows: readonly PlacedRow[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set()
  try {
    return await transaction.savepoint(() => insert(transaction, [...model.columns.values()], model, rows))
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    const [first, ...more] = rows
    if (first && more.length === 0) throw new BrokenRow(first.file, first.line, reason)
    // Bisects the rows until the broken one is alone.
    const middle = Math.ceil(rows.length / 2)
    const before = await insertImportedRows(transaction, model, rows.slice(0, middle))
    const after = await insertImportedRows(transaction, model, rows.slice(middle))
    return new Set([...before, ...after])
  }
}

/** Inserts rows that get their ids from the database. */
export async function insertNumbered(
  queryable: Queryable,
  model: Model,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  if (rows.length === 0) return
  const named = new Set(rows.flatMap((row) => Object.keys(row)))
  const columns = [...model.columns.values()].filter(({ key }) => named.has(key))
  await queryable.execute(insertion(columns, model, rows, sql`on conflict do nothing`))
}

async function insert(
  queryable: Queryable,
  columns: readonly Column[],
  model: Model,
  rows: readonly PlacedRow[],
): Promise<ReadonlySet<number>> {
  const values = rows.map(({ row }) => row)
  const ids = await queryable.queryArrays(
    insertion(columns, model, values, sql`on conflict (id) do nothing returning id`),
  )
  return new Set(ids.map(([id]) => Number(id)))
}

const insertion = (
  columns: readonly Column[],
  model: Model,
  rows: readonly Readonly<Record<string, unknown>>[],
  end: Sql,
): Sql => {
  const lists = columns.map((column) => rows.map((row) => encodeValue(column, row[column.key])))
  return insertTexts(insertInto(model), columns, lists, end)
}

/** The reason for the database's refusal, for people; undefined for errors that the row did not cause. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ConstraintViolation) {
    if (error.column !== undefined) return `${error.column}: a value is missing`
    return error.detail ?? error.message
  }
  // Class 22: the value does not fit the column's type. 54000: too long for an index.
  const isData = error instanceof StatementFailed && (error.code.startsWith('22') || error.code === '54000')
  return isData ? error.message : undefined
}
