import type { Queryable } from '../sql/queryable.ts'

/** A write whose response is stored with it, so that a repeated request gets it again. */
export interface IdempotentWrite {
  /** Called at the start of the transaction: throws if the request has already been carried out. */
  claim(transaction: Queryable): Promise<void>
  /** Called at the end with the response. */
  record(transaction: Queryable, response: unknown): Promise<void>
}
