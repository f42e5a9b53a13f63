import type { Queryable } from '../sql/queryable.ts'
import type { NestedProjection } from './field.ts'
import type { Model } from './registry.ts'

/** Context of a computed field while a page is serialised. */
export interface ComputeContext {
  readonly database: Queryable
  /** A model by name; throws for an unknown one. */
  readonly model: (name: string) => Model
  /** Nested JSON text of objects by id, in the given projection or the model's own. */
  readonly nested: (
    model: string,
    ids: readonly number[],
    projection?: NestedProjection,
  ) => Promise<ReadonlyMap<number, string>>
  /** The result of `load`, shared by all computed fields of a page that use the same key; executed once per page. */
  readonly share: <T>(question: string, load: () => Promise<T>) => Promise<T>
  /**
   * The result cached under `key` until one of the models changes. Within a transaction it is loaded again and not
   * cached, so that the transaction's own changes are visible.
   */
  readonly remember: <T>(
    key: string,
    models: readonly string[],
    load: () => Promise<T>,
  ) => Promise<T>
}

/**
 * Computes one field for a whole page: takes the ids of the page's rows, returns JSON text by id. A missing id is
 * shown as null. Runs a constant number of queries at most.
 */
export type LoadComputed = (
  ids: readonly number[],
  context: ComputeContext,
) => Promise<ReadonlyMap<number, string>>
