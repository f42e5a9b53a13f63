import type { Queryable } from '../sql/queryable.ts'

/** A write whose response is stored with it, so that a repeated request gets it again. */
export interface IdempotentWrite {
  /** Called at the beginning of the transaction: throws if the request has been carried out already. */
  claim(transaction: Queryable): Promise<void>
  /** Called at its end with the response. */
  record(transaction: Queryable, response: unknown): Promise<void>
}
