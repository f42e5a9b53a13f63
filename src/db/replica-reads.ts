import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../base/errors.ts'
import type { Sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { ChangeLog } from './cache/change-log.ts'
import type { Database } from './database.ts'
import type { Replica } from './replica.ts'
import type { Replicas } from './replicas.ts'
import { isTimeout } from './time-limit.ts'

/** Work that only reads. It stays with one server, since another server may lack data that the first one has shown. */
interface ReadingWork {
  /** Undefined until the first statement. */
  server: Replica | 'primary' | undefined
}

const working = new AsyncLocalStorage<ReadingWork>()

/**
 * The database, whose replicas answer the statements of `readingReplicas`. A statement goes to a replica that has
 * replayed all recorded changes of the models it reads, otherwise to the primary, and so do the statements after it.
 * Work therefore never reads a state older than a change that this process knows of. Values cached from a replica are
 * no older than those from the primary, and are invalidated in the same way.
 */
export function withReplicaReads(database: Database, log: ChangeLog): Database {
  const { replicas } = database
  if (!replicas) return database
  const routed = routing(database, replicas, log)
  return {
    ...database,
    query: (statement, options) => routed(statement, (queryable) => queryable.query(statement, options)),
    queryArrays: (statement, options) => routed(statement, (queryable) => queryable.queryArrays(statement, options)),
    queryColumn: (statement, options) => routed(statement, (queryable) => queryable.queryColumn(statement, options)),
    execute: (statement) => routed(statement, (queryable) => queryable.execute(statement)),
    subscribe: async (listener) => {
      await database.subscribe(listener)
      await replicas.follow(log)
    },
    readingReplicas: (work) => working.run({ server: undefined }, work),
  }
}

type Run<T> = (queryable: Queryable) => Promise<T>

const routing =
  (database: Database, replicas: Replicas, log: ChangeLog) =>
  async <T>(statement: Sql, run: Run<T>): Promise<T> => {
    const work = working.getStore()
    if (!work) return await run(database)
    work.server = serverFor(work, statement, replicas, log)
    if (work.server === 'primary') return await run(database)
    const replica = work.server
    try {
      return await run(replica.queryable)
    } catch (error) {
      if (isFinal(error)) throw error
      if (error instanceof ApiError) replica.leaveOut()
      work.server = 'primary'
      return await run(database)
    }
  }

function serverFor({ server }: ReadingWork, statement: Sql, replicas: Replicas, log: ChangeLog): Replica | 'primary' {
  const { uses, isVolatile } = statement.statement
  const { reads, rowReads, writes } = uses
  const isRouted = writes.length === 0 && !isVolatile && reads.length + rowReads.length > 0
  // While changes may be missed, it is unknown what a replica must have replayed.
  if (server === 'primary' || !isRouted || log.isSuspended) return 'primary'
  const models = rowReads.length === 0 ? reads : [...reads, ...rowReads.map(({ model }) => model)]
  if (!server) return replicas.find(models) ?? 'primary'
  return replicas.mayServe(server, models) ? server : 'primary'
}

/** A statement that took too long would do so on the primary; any other failure may be the replica's own, such as a conflict with its replay. */
const isFinal = isTimeout
