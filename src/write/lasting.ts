import type { Queryable } from '../sql/queryable.ts'
import type { Database, Transaction } from '../storage/database.ts'

/**
 * Asks the transaction for as long as it is open, and the database from then on, once `committed` says that it has the
 * changes. For reading what was written without keeping the commit waiting.
 */
export function lasting(
  transaction: Transaction,
  database: Database,
  committed: Promise<void>,
): Queryable {
  const ask = <T>(put: (queryable: Queryable) => Promise<T>): Promise<T> =>
    transaction.isOpen() ? put(transaction) : committed.then(() => put(database))
  return {
    ...(transaction.uncommitted && { uncommitted: transaction.uncommitted }),
    query: (statement) => ask((queryable) => queryable.query(statement)),
    queryArrays: (statement) => ask((queryable) => queryable.queryArrays(statement)),
    execute: (statement) => ask((queryable) => queryable.execute(statement)),
  }
}
