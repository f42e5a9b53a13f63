import type { Sql } from './fragment.ts'

/** One row by column name, values as storage/decode.ts leaves them. */
export type Row = Record<string, unknown>

/** What is known of objects that were inserted in a transaction, and that nothing else has been done with since. */
export interface FreshObjects {
  /** Whether all of them are such, so that nothing can belong to any of them yet. */
  areUnrelated(model: string, ids: readonly number[]): boolean
  /** Their rows, if the statement that inserted them brought just this select list. */
  rows(model: string, select: Sql, ids: readonly number[]): unknown[][] | undefined
}

/** Anything that answers statements: the database itself or a transaction. */
export interface Queryable {
  /**
   * Models whose changes nobody else sees yet, by name, with the number of statements that changed them; absent where that is
   * not known, or where there can be none.
   */
  readonly uncommitted?: ReadonlyMap<string, number>
  /** Absent where nothing is known of any. */
  readonly fresh?: FreshObjects
  query<T extends Row = Row>(statement: Sql): Promise<T[]>
  /** Rows as arrays in the order of the select list, for compiled serialisers. */
  queryArrays(statement: Sql): Promise<unknown[][]>
  /** Number of rows that a data-changing statement touched. */
  execute(statement: Sql): Promise<number>
}
