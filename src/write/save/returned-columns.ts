import { oncePer } from '../../schema/once-per.ts'
import { expressionKey, join, type Sql, sql } from '../../sql/fragment.ts'
import type { WriteContext } from '../context.ts'
import type { RowReader } from '../rows.ts'

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
export function returnedColumns(stored: readonly Sql[], shown: readonly Sql[] | undefined): ReturnedColumns {
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
export const returnedByInsert = (reader: RowReader, shows: WriteContext['shows']): ReturnedColumns =>
  shows ? withShown(reader)(shows) : withoutShown(reader)

const withoutShown = oncePer(({ insertedColumns }: RowReader) => returnedColumns(insertedColumns, undefined))

const withShown = oncePer(({ insertedColumns }: RowReader) =>
  oncePer(({ columns }: NonNullable<WriteContext['shows']>) => returnedColumns(insertedColumns, columns)),
)
