import pg from 'pg'
import type { Connections } from './database.ts'
import { databaseUnavailable } from './failures.ts'
import { PostgresSession } from './postgres-session.ts'

export interface SessionPoolOptions {
  /** URL of one server. */
  readonly url: string
  /** Most connections at a time. */
  readonly poolSize: number
  /** Milliseconds after which a statement is cancelled; 0 for never. */
  readonly statementTimeout: number
  /** Whether statements may be prepared under names, which belong to one connection to the server. */
  readonly preparesStatements: boolean
}

/** A session of the pool, to be returned after its use. */
export interface Lease {
  readonly session: PostgresSession
  release(): void
}

// For a new connection, and for one of the pool while all are at work: many writes may have to wait for
// one another, and a request that waits is better off than one that is refused.
const CONNECT_TIMEOUT = 20_000

/** A pool of the library, with all its connections. */
interface Connected {
  readonly pool: pg.Pool
  readonly clients: Set<pg.PoolClient>
}

/** Connections to one server, each with its session. Connects when a session is first needed. */
export class SessionPool {
  readonly #options: SessionPoolOptions
  readonly #sessions = new WeakMap<pg.PoolClient, PostgresSession>()
  #connected: Connected

  constructor(options: SessionPoolOptions) {
    this.#options = options
    this.#connected = poolOf(options)
  }

  /** A session that no other caller uses. Throws `unavailable` when the server cannot be reached. */
  acquire(): Promise<Lease> {
    return this.#connected.pool.connect().then(
      (client) => {
        const session = this.#sessions.get(client)
        return session ? leaseOf(client, session) : this.#begin(client)
      },
      (error: unknown) => {
        // Whatever the error: a server that refuses connections may accept them again soon.
        throw databaseUnavailable(error)
      },
    )
  }

  /**
   * Ends all connections, also those on which a statement waits for its answer: it then fails as `unavailable`. The next session is one of
   * a new connection.
   */
  abandon(): void {
    const { pool, clients } = this.#connected
    this.#connected = poolOf(this.#options)
    for (const client of clients) client.end().catch(() => undefined)
    pool.end().catch(() => undefined)
  }

  get connections(): Connections {
    const { totalCount, idleCount, waitingCount } = this.#connected.pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  /** Waits until all sessions are released. */
  async close(): Promise<void> {
    await this.#connected.pool.end()
  }

  async #begin(client: pg.PoolClient): Promise<Lease> {
    try {
      const session = new PostgresSession(client, this.#options.preparesStatements)
      await session.script(sessionSettings(this.#options))
      this.#sessions.set(client, session)
      return leaseOf(client, session)
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

const leaseOf = (client: pg.PoolClient, session: PostgresSession): Lease => ({
  session,
  release: () => client.release(session.isLost),
})

function poolOf({ url, poolSize }: SessionPoolOptions): Connected {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: 60_000,
    // The library keeps the text of every statement that a connection ever prepared.
    maxLifetimeSeconds: 3_600,
    application_name: 'cadastre',
  })
  const clients = new Set<pg.PoolClient>()
  // A connection that breaks while idle: the pool drops it, and the next query opens a new one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void clients.add(client))
  pool.on('remove', (client) => void clients.delete(client))
  return { pool, clients }
}

/** Settings that decoding and speed rely on, independent of the server's configuration. */
const sessionSettings = ({ statementTimeout }: SessionPoolOptions): string => `
  set time zone 'UTC';
  set datestyle to 'ISO, YMD';
  set search_path to public;
  set jit to off;
  set statement_timeout to ${Math.trunc(statementTimeout)}`
