import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Transaction } from '../../db/database.ts'
import { rollBackOf } from '../../db/roll-back.ts'
import { nestedTransaction } from '../../db/transaction.ts'
import { createService, type Service } from '../../service.ts'

/** A service whose work is all part of one transaction. */
interface OneTransaction {
  /** The service; its transaction starts with the first call. */
  open(): Promise<Service>
  /** Commits the transaction or rolls it back, if it has begun. */
  end(outcome: 'commit' | 'rollback'): Promise<void>
}

class RolledBack extends Error {}

/**
 * As `service`, but all its work is in one transaction, which starts when it is needed. It has its own cache for
 * uncommitted data.
 */
export function oneTransaction(service: Service): OneTransaction {
  const end = Promise.withResolvers<'commit' | 'rollback'>()
  let opened: Promise<Service> | undefined
  let ended: Promise<void> | undefined
  const begin = (): Promise<Service> => {
    const { promise, resolve, reject } = Promise.withResolvers<Service>()
    ended = service.database
      .transaction(async (transaction) => {
        const inner = serviceWithin(service, transaction)
        resolve(inner)
        const outcome = await end.promise
        if (outcome === 'rollback') throw new RolledBack()
      })
      .catch((error: unknown) => {
        reject(error)
        if (!(error instanceof RolledBack)) throw error
      })
    // Reported by `end`, which may be called much later.
    ended.catch(() => undefined)
    return promise
  }
  return {
    open: () => {
      opened ??= begin()
      return opened
    },
    end: async (outcome) => {
      end.resolve(outcome)
      await ended
    },
  }
}

/** As `service`, within a transaction that somebody else ends. */
export const serviceWithin = (
  { registry, database, settings, clock, absentRelations, define }: Service,
  transaction: Transaction,
): Service => ({
  ...createService(
    registry,
    databaseWithin(database, transaction),
    // Otherwise files would be removed before it is known whether the transaction is committed.
    { ...settings, mediaRoot: settings.mediaRoot ?? join(tmpdir(), `cadastre-media-${process.pid}`), cacheSize: 0 },
    { clock, absentRelations },
  ),
  ...(define && { define: () => define(transaction) }),
})

/** A database whose transactions are savepoints of this one. */
function databaseWithin(database: Database, outer: Transaction): Database {
  const transaction: Database['transaction'] = (work) => nestedTransaction(outer, work)
  return {
    query: outer.query,
    queryArrays: outer.queryArrays,
    queryColumn: outer.queryColumn,
    execute: outer.execute,
    transaction,
    rollBack: rollBackOf(transaction),
    connections: database.connections,
    script: async () => {
      throw new Error('A script cannot migrate')
    },
    writeProblem: database.writeProblem,
    writable: database.writable,
    subscribe: async () => undefined,
    close: async () => undefined,
  }
}
