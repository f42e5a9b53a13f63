import type { Queryable } from '../sql/queryable.ts'
import type { Database, Transaction } from '../storage/database.ts'
import { isSkipped } from '../storage/failures.ts'

/**
 * Reads the response to a write without delaying its commit. `start` is called before the commit: the queries that the
 * reading sends at once travel with the commit and see what the transaction sees; later ones wait for the commit and go
 * to the database.
 */
export class ReadAfterWrite<T> {
  readonly #committed = Promise.withResolvers<void>()
  #response: Promise<T> | undefined

  constructor() {
    // The failure of a commit reaches the caller by another path: `failure`.
    this.#committed.promise.catch(() => undefined)
  }

  start(
    transaction: Transaction,
    database: Database,
    read: (queryable: Queryable) => Promise<T>,
  ): void {
    const response = read(transactionThenDatabase(transaction, database, this.#committed.promise))
    // Awaited by the caller after the commit, or by `failure`: until then a rejection is handled here.
    response.catch(() => undefined)
    this.#response = response
  }

  /** To be called once the transaction is committed. Returns the response, which may still fail to be read. */
  commit(): Promise<T> {
    if (!this.#response) throw new Error('The response is read before the commit')
    this.#committed.resolve()
    return this.#response
  }

  /**
   * To be called when the transaction failed. Returns the error to report: that of the reading if it failed by itself
   * before the commit, otherwise that of the transaction.
   */
  async failure(failure: unknown): Promise<unknown> {
    this.#committed.reject(failure)
    try {
      await this.#response
      return failure
    } catch (error) {
      return isSkipped(error) ? failure : error
    }
  }
}

/**
 * Resolves when the commit has been sent, where nothing delays it: storage sends at the next tick what has been gathered until then. The
 * response is written while the database works on the commit.
 */
export const commitIsSent = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve)
  })

/** Sends queries to the transaction while it is open, and to the database once `committed` has resolved. */
export function transactionThenDatabase(
  transaction: Transaction,
  database: Database,
  committed: Promise<void>,
): Queryable {
  const send = <T>(query: (queryable: Queryable) => Promise<T>): Promise<T> =>
    transaction.isOpen() ? query(transaction) : committed.then(() => query(database))
  return {
    query: (statement) => send((queryable) => queryable.query(statement)),
    queryArrays: (statement) => send((queryable) => queryable.queryArrays(statement)),
    queryColumn: (statement) => send((queryable) => queryable.queryColumn(statement)),
    execute: (statement) => send((queryable) => queryable.execute(statement)),
  }
}
