import type { UncommittedChanges } from '../../db/cache/model-change.ts'
import type { Service } from '../../service.ts'
import type { Queryable } from '../../sql/queryable.ts'

/** The source of a response's objects. */
export interface ReadSource {
  readonly service: Service
  /** Executes the statements. */
  readonly database: Queryable
  /** Models that the transaction has changed, by name; undefined if only committed data is read. */
  readonly uncommitted: ReadonlyMap<string, unknown> | undefined
  /**
   * Objects are not cached: there are so many that they would push everything else out of the cache, and be evicted
   * before they are read again.
   */
  readonly isReadOnce?: boolean
  /** The database shows only what one user may view, so that nothing read from it is cached. */
  readonly isRestricted?: boolean
}

/** The committed data, through the cache. */
export const committedData = (service: Service): ReadSource => ({
  service,
  database: service.database,
  uncommitted: undefined,
})

/** The data that a transaction sees: only values that do not depend on its changes are cached. */
export const dataWithin = (
  service: Service,
  transaction: Queryable & { readonly uncommitted: UncommittedChanges },
): ReadSource => ({
  service,
  database: transaction,
  uncommitted: transaction.uncommitted.statements,
})
