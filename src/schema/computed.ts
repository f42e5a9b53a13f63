import type { Sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { NestedProjection } from './field.ts'

/**
 * JSON texts by id. `get` is called for the row that is being written. If it reads nested texts only at that time, a
 * change of those objects makes no other row stale.
 */
export interface TextsById {
  get(id: number): string | undefined
}

/** Values of rows to which many objects refer, such as the ancestors of a site's region. One constant per use. */
export interface SharedRows {
  readonly model: string
  /** Select list over the rows `t`. */
  readonly select: Sql
}

/**
 * A query about the rows of a batch by ids: `any(${ids}::bigint[])`. Each selected row begins with the id of the row to
 * which it belongs; rows with the same id are in their order.
 */
export type BatchQuery = (ids: Sql) => Sql

/**
 * The selected rows by their first value, the id, which is removed. Rows of the batch without selected rows are missing.
 */
export type RowsByOwner = ReadonlyMap<number, readonly (readonly unknown[])[]>

/** A query of a computed field about the rows of a batch; `tags`: the ids of their tags. */
export type FieldQuery = BatchQuery | 'tags'

/** Selected values by the ids of rows. As with TextsById, the result of `get` depends on that row alone. */
export interface RowsById {
  get(id: number): readonly unknown[] | undefined
}

/** Context of a computed field while a batch is serialised. */
export interface ComputeContext {
  readonly database: Queryable
  /** Nested JSON text of objects by id, in the given projection or the model's own. */
  readonly nested: (model: string, ids: readonly number[], projection?: NestedProjection) => Promise<TextsById>
  /** Selected values of rows by id, cached like nested texts; ids of deleted rows are missing. */
  readonly rows: (shared: SharedRows, ids: Iterable<number>) => Promise<RowsById>
  /** The results of one of the queries that the field declares. */
  readonly results: (query: FieldQuery) => Promise<RowsByOwner>
  /** Ids of those of the dynamic groups to which the model's rows with these ids belong, by the ids of the rows. */
  readonly memberships: (model: string, groups: readonly number[], ids: readonly number[]) => Promise<RowsByOwner>
  /** The result of `load`, shared by all computed fields of a batch that use the same key; executed once per batch. */
  readonly share: <T>(key: string, load: () => Promise<T>) => Promise<T>
  /**
   * The value cached under `key`, or the one that `load` reads, which is then cached until its source data changes. In
   * a transaction that has changed any of it, it is loaded again and not cached.
   */
  readonly cached: <T>(key: string, load: () => Promise<T>) => Promise<T>
}

/** Rows of a batch: the id, then the values of the columns that the field declares. */
export type ColumnRows = readonly (readonly unknown[])[]

/**
 * Computes one field for a whole batch: takes the ids of the batch's rows, returns JSON text by id. A missing id is shown
 * as null. Runs at most a constant number of queries. `rows`: the batch's rows, if the field declares `columns` and the
 * caller reads them.
 */
export type LoadComputed = (
  ids: readonly number[],
  context: ComputeContext,
  rows?: Promise<ColumnRows>,
) => Promise<TextsById>
