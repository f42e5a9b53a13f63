import type { Sql } from './fragment.ts'

/** One row by column name; values as storage/decode.ts returns them. */
export type Row = Record<string, unknown>

/** Facts about objects that a transaction inserted and has not used since. */
export interface FreshObjects {
  /** True if all objects are fresh, so that no other row can refer to one of them. */
  areUnrelated(model: string, ids: readonly number[]): boolean
  /** Rows of the objects, if the inserting statement returned exactly this select list. */
  rows(model: string, select: Sql, ids: readonly number[]): unknown[][] | undefined
}

/** Runs statements: the database itself or a transaction. */
export interface Queryable {
  /**
   * Models with uncommitted changes, by name, with the number of statements that changed them; absent if unknown or
   * impossible.
   */
  readonly uncommitted?: ReadonlyMap<string, number>
  /** Absent if there are no such objects. */
  readonly fresh?: FreshObjects
  query<T extends Row = Row>(statement: Sql): Promise<T[]>
  /** Rows as arrays in the order of the select list, for compiled serialisers. */
  queryArrays(statement: Sql): Promise<unknown[][]>
  /** Number of rows that a data-changing statement affected. */
  execute(statement: Sql): Promise<number>
}
