import pg from 'pg'
import { ChangeNotifications } from './change-notifications.ts'
import type { Database } from './database.ts'
import { databaseUnavailable } from './failures.ts'
import type { Heartbeat } from './listening-connection.ts'
import { PostgresSession } from './postgres-session.ts'
import { rollBackOf } from './roll-back.ts'
import { queryableOver, refuseInsideTransaction, runTransaction } from './transaction.ts'

export interface PostgresOptions {
  /** postgres://user:password@host:port/database?sslmode=… */
  readonly url: string
  /** Most connections at a time. */
  readonly poolSize: number
  /** Milliseconds after which a statement is cancelled; 0 for never. */
  readonly statementTimeout: number
  /** Says what an operator should know of. */
  readonly warn?: ((sentence: string) => void) | undefined
  /** How the connection that receives notifications is tested; for tests, which cannot wait for seconds. */
  readonly heartbeat?: Heartbeat
  /** Milliseconds before it is opened again; for tests as well. */
  readonly listenRetryDelay?: number
}

// For a new connection, and for one of the pool while all are at work: many writes may have to wait for
// one another, and a request that waits is better off than one that is refused.
const CONNECT_TIMEOUT = 20_000

/** A PostgreSQL server, 15 or later, through a pool of connections. Connects at the first query. */
export function openPostgres(options: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: 60_000,
    // The library keeps the text of every statement that a connection ever prepared.
    maxLifetimeSeconds: 3_600,
    application_name: 'cadastre',
  })
  // A connection that breaks while idle: the pool drops it, and the next query opens a new one.
  pool.on('error', () => undefined)
  const sessions = new WeakMap<pg.PoolClient, PostgresSession>()

  const withSession = async <T>(work: (session: PostgresSession) => Promise<T>): Promise<T> => {
    refuseInsideTransaction(pool)
    const client = await pool.connect().catch((error: unknown) => {
      // Whatever the error: a server that refuses connections may accept them again soon.
      throw databaseUnavailable(error)
    })
    let session = sessions.get(client)
    try {
      if (!session) {
        session = new PostgresSession(client)
        await session.script(sessionSettings(options))
        sessions.set(client, session)
      }
      return await work(session)
    } finally {
      client.release(session?.isLost ?? true)
    }
  }

  const queryable = queryableOver({
    run: (...call) => withSession((session) => session.run(...call)),
  })
  const notifications = new ChangeNotifications({
    url: options.url,
    pool: queryable,
    warn: options.warn ?? (() => undefined),
    heartbeat: options.heartbeat,
    retryDelay: options.listenRetryDelay,
  })

  const transaction: Database['transaction'] = (work) =>
    withSession((session) => runTransaction(pool, session, notifications.announce, work))

  return {
    kind: 'postgres',
    ...queryable,
    transaction,
    rollBack: rollBackOf(transaction),
    script: (text) => withSession((session) => session.script(text)),
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    subscribe: (listener) => notifications.subscribe(listener),
    close: async () => {
      await notifications.close()
      await pool.end()
    },
  }
}

/** Settings that decoding and speed rely on, independent of the server's configuration. */
const sessionSettings = ({ statementTimeout }: PostgresOptions): string => `
  set time zone 'UTC';
  set datestyle to 'ISO, YMD';
  set search_path to public;
  set jit to off;
  set statement_timeout to ${Math.trunc(statementTimeout)}`
