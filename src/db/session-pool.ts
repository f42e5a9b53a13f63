import pg from 'pg'
import type { Connections } from './database.ts'
import { databaseUnavailable } from './failures.ts'
import { PostgresSession } from './postgres-session.ts'
import { ANSWER_TIMEOUT } from './server-role.ts'
import { watchForSilence } from './silent-connections.ts'

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

// Timeout for a connection while all are busy: many writes may have to wait for one another, and waiting is better for
// a request than being refused.
const WAIT_TIMEOUT = 20_000

/** Connections to one server, each with its session. Connects when a session is first needed. */
export class SessionPool {
  readonly #options: SessionPoolOptions
  /** Number of open connections, including those of retired pools. */
  readonly #sessions = new Map<pg.PoolClient, PostgresSession>()
  /** Callers that have no connection yet: each starts again when the pool is retired. */
  #waiting = new Set<() => void>()
  /** The ends of retired pools whose connections are still busy. */
  readonly #retired = new Set<Promise<void>>()
  readonly #stopWatching: () => void
  #pool: pg.Pool

  constructor(options: SessionPoolOptions) {
    this.#options = options
    this.#pool = this.#newPool()
    this.#stopWatching = watchForSilence({
      url: options.url,
      sessions: () => this.#sessions.values(),
      onDead: () => this.retire(),
    })
  }

  /** A session that no other caller uses. Throws `unavailable` when the server cannot be reached. */
  async acquire(): Promise<Lease> {
    const client = await this.#connect()
    const session = this.#sessions.get(client)
    return session ? leaseOf(client, session) : await this.#begin(client)
  }

  /** Ends the idle connections, and the others when they are released. The next session has a new connection. */
  retire(): void {
    if (this.#pool.ending) return
    const ended = this.#pool.end().finally(() => this.#retired.delete(ended))
    this.#retired.add(ended)
    this.#pool = this.#newPool()
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const startAgain of waiting) startAgain()
  }

  /** As `retire`, but also ends busy connections: a statement that waits for its result then fails as `unavailable`. */
  abandon(): void {
    for (const session of this.#sessions.values()) session.end()
    this.retire()
  }

  get connections(): Connections {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  /** Waits until all sessions are released. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), ...this.#retired])
    this.#stopWatching()
  }

  #connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting
      const startAgain = () => resolve(this.#connect())
      waiting.add(startAgain)
      this.#pool.connect().then(
        (client) => {
          // The library may hand over connections of a pool that has been retired meanwhile.
          if (waiting.delete(startAgain) && waiting === this.#waiting) resolve(client)
          else client.release(true)
        },
        (error: unknown) => {
          waiting.delete(startAgain)
          // This applies to any error: a server that refuses connections may accept them again soon.
          reject(databaseUnavailable(error))
        },
      )
    })
  }

  async #begin(client: pg.PoolClient): Promise<Lease> {
    try {
      const { preparesStatements } = this.#options
      const session = new PostgresSession(client, preparesStatements)
      this.#sessions.set(client, session)
      await session.script(sessionSettings(this.#options))
      if (preparesStatements) session.pid = await backendOf(session)
      return leaseOf(client, session)
    } catch (error) {
      this.#sessions.delete(client)
      client.release(true)
      throw error
    }
  }

  #newPool(): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.#options.url,
      Client: QuickClient,
      max: this.#options.poolSize,
      connectionTimeoutMillis: WAIT_TIMEOUT,
      idleTimeoutMillis: 60_000,
      // The library keeps the text of every statement that a connection ever prepared.
      maxLifetimeSeconds: 3_600,
      application_name: 'cadastre',
      keepAlive: true,
    })
    // A connection that breaks while idle: the pool drops it, and the next query opens a new one.
    pool.on('error', () => undefined)
    pool.on('remove', (client) => void this.#sessions.delete(client))
    return pool
  }
}

/** The pool's own limit covers both: a new connection, and a busy one. */
class QuickClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: ANSWER_TIMEOUT })
  }
}

async function backendOf(session: PostgresSession): Promise<number> {
  const { rows } = await session.run('select pg_backend_pid()', [], 'column')
  return Number(rows[0])
}

const leaseOf = (client: pg.PoolClient, session: PostgresSession): Lease => ({
  session,
  release: () => client.release(session.isLost),
})

/** Settings that decoding and speed rely on, independent of the server's configuration. */
const sessionSettings = ({ statementTimeout }: SessionPoolOptions): string => `
  set time zone 'UTC';
  set datestyle to 'ISO, YMD';
  set search_path to public;
  set jit to off;
  set statement_timeout to ${Math.trunc(statementTimeout)}`
