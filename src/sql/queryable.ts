import type { Sql } from './fragment.ts'
import type { PredictedIds } from './predicted-ids.ts'

/** One row by column name; values as db/decode.ts returns them. */
export type Row = Record<string, unknown>

/** How a query is sent. */
export interface QueryOptions {
  /**
   * It is fast, and finds its rows by an index. Such queries of one request and one turn of the event loop are sent
   * together.
   */
  readonly isShort?: boolean
}

/** Runs statements: the database itself or a transaction. */
export interface Queryable {
  query<T extends Row = Row>(statement: Sql, options?: QueryOptions): Promise<T[]>
  /** Rows as arrays in the order of the select list, for compiled serialisers. */
  queryArrays(statement: Sql, options?: QueryOptions): Promise<unknown[][]>
  /** The first value of each row, without creating an object per row. */
  queryColumn(statement: Sql, options?: QueryOptions): Promise<unknown[]>
  /** Number of rows that a data-changing statement affected. */
  execute(statement: Sql): Promise<number>
  /** Set if new rows must not use up numbers of their tables' sequences: `numberedInsert` gives them ids. */
  readonly predictedIds?: PredictedIds | undefined
}
