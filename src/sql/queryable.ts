import type { Sql } from './fragment.ts'
import type { PredictedIds } from './predicted-ids.ts'

/** One row by column name; values as storage/decode.ts returns them. */
export type Row = Record<string, unknown>

/** Runs statements: the database itself or a transaction. */
export interface Queryable {
  query<T extends Row = Row>(statement: Sql): Promise<T[]>
  /** Rows as arrays in the order of the select list, for compiled serialisers. */
  queryArrays(statement: Sql): Promise<unknown[][]>
  /** Number of rows that a data-changing statement affected. */
  execute(statement: Sql): Promise<number>
  /** Set where new rows must not use up numbers of their tables' sequences: `numberedInsert` gives them ids. */
  readonly predictedIds?: PredictedIds | undefined
}
