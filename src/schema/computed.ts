import type { Queryable } from '../sql/queryable.ts'
import type { NestedProjection } from './field.ts'
import type { Model } from './registry.ts'

/** What a computed field may use while a page is written. */
export interface ComputeContext {
  readonly database: Queryable
  /** A model by name; throws for an unknown one. */
  readonly model: (name: string) => Model
  /** Nested JSON text of objects by id, in the model's nested projection or the projection given. */
  readonly nested: (
    model: string,
    ids: readonly number[],
    projection?: NestedProjection,
  ) => Promise<ReadonlyMap<number, string>>
  /** The answer to a question that several fields of an object have; put once for a page. */
  readonly share: <T>(question: string, load: () => Promise<T>) => Promise<T>
  /**
   * The answer under `key`, kept until one of the models changes. Loaded anew, and not kept, where a
   * transaction's own changes must be seen.
   */
  readonly remember: <T>(
    key: string,
    models: readonly string[],
    load: () => Promise<T>,
  ) => Promise<T>
}

/**
 * Computes one field for a whole page: ids of the page's rows in, JSON text by id out. An id that is
 * missing from the answer is shown as null. At most a constant number of queries.
 */
export type LoadComputed = (
  ids: readonly number[],
  context: ComputeContext,
) => Promise<ReadonlyMap<number, string>>
