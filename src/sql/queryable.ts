import type { Sql } from './fragment.ts'

/** One row by column name, values as storage/decode.ts leaves them. */
export type Row = Record<string, unknown>

/** Anything that answers statements: the database itself or a transaction. */
export interface Queryable {
  /** Names of the models whose changes nobody else sees yet; absent where that is not known, or where there can be none. */
  readonly uncommitted?: ReadonlySet<string>
  /** Whether nothing can belong to any of the objects yet, since they are new here. Absent where that is not known. */
  readonly areUnrelated?: (model: string, ids: readonly number[]) => boolean
  query<T extends Row = Row>(statement: Sql): Promise<T[]>
  /** Rows as arrays in the order of the select list, for compiled serialisers. */
  queryArrays(statement: Sql): Promise<unknown[][]>
  /** Number of rows that a data-changing statement touched. */
  execute(statement: Sql): Promise<number>
}
