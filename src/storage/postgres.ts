import pg from 'pg'
import { ChangeNotices } from './change-notices.ts'
import type { Database } from './database.ts'
import { databaseUnavailable } from './failures.ts'
import { PostgresSession } from './postgres-session.ts'
import { queryableOver, refuseInsideTransaction, runTransaction } from './transaction.ts'

export interface PostgresOptions {
  /** postgres://user:password@host:port/database?sslmode=… */
  readonly url: string
  /** Most connections at a time. */
  readonly poolSize: number
  /** Milliseconds after which a statement is cancelled; 0 for never. */
  readonly statementTimeout: number
}

// For a new connection, and for one of the pool while all are at work: many writes may have to wait for
// one another, and a request that waits is better off than one that is refused.
const CONNECT_TIMEOUT = 20_000

/** A PostgreSQL server, 15 or later, through a pool of connections. Connects at the first question. */
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
  // A connection that breaks while idle: the pool drops it, and the next question opens a new one.
  pool.on('error', () => undefined)
  const sessions = new WeakMap<pg.PoolClient, PostgresSession>()
  const notices = new ChangeNotices(options.url)

  const withSession = async <T>(work: (session: PostgresSession) => Promise<T>): Promise<T> => {
    refuseInsideTransaction(pool)
    const client = await pool.connect().catch((error: unknown) => {
      // Whatever its words: a server that lets nobody in may be there again in a moment.
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

  return {
    kind: 'postgres',
    ...queryableOver({
      run: (...call) => withSession((session) => session.run(...call)),
    }),
    transaction: (work) =>
      withSession((session) => runTransaction(pool, session, notices.announcement, work)),
    script: (text) => withSession((session) => session.script(text)),
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    subscribe: (listener) => notices.subscribe(listener),
    close: async () => {
      await notices.close()
      await pool.end()
    },
  }
}

/** What decoding and speed rely on, whatever the server's own configuration says. */
const sessionSettings = ({ statementTimeout }: PostgresOptions): string => `
  set time zone 'UTC';
  set datestyle to 'ISO, YMD';
  set search_path to public;
  set jit to off;
  set statement_timeout to ${Math.trunc(statementTimeout)}`
