import pg from 'pg'
import { ApiError } from '../errors.ts'
import { ChangeNotices } from './change-notices.ts'
import type { Answer, Connection, RowForm } from './connection.ts'
import type { Database } from './database.ts'
import { decoderOf } from './decode.ts'
import { encode } from './encode.ts'
import { databaseUnavailable, StatementFailed, translateFailure } from './failures.ts'
import { StatementCache } from './statement-cache.ts'
import { queryableOver, refuseInsideTransaction, runTransaction } from './transaction.ts'

export interface PostgresOptions {
  /** postgres://user:password@host:port/database?sslmode=… */
  readonly url: string
  /** Most connections at a time. */
  readonly poolSize: number
  /** Milliseconds after which a statement is cancelled; 0 for never. */
  readonly statementTimeout: number
}

const PREPARED_PER_CONNECTION = 300
// For a new connection, and for one of the pool while all are at work: many writes may have to wait for
// one another, and a request that waits is better off than one that is refused.
const CONNECT_TIMEOUT = 20_000
// Several statements in one text are for scripts only, as on the embedded database.
const EXTENDED = { queryMode: 'extended' }
// A table changed under a prepared statement, or somebody deallocated it: prepare it anew next time.
const STALE: ReadonlySet<string> = new Set(['0A000', '26000'])

// The library wants an overload for binary values, which are never asked for.
const types = { getTypeParser: decoderOf as typeof pg.types.getTypeParser }

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
    pipeline: true,
    types,
  })
  // A connection that breaks while idle: the pool drops it, and the next question opens a new one.
  pool.on('error', () => undefined)
  const sessions = new WeakMap<pg.PoolClient, Session>()
  const notices = new ChangeNotices(options.url)

  const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    refuseInsideTransaction(pool)
    const client = await pool.connect().catch((error: unknown) => {
      // Whatever its words: a server that lets nobody in may be there again in a moment.
      throw databaseUnavailable(error)
    })
    let session = sessions.get(client)
    try {
      if (!session) {
        session = new Session(client)
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

/** One connection of the pool and what it has prepared. */
class Session implements Connection {
  isLost = false
  #isGathering = false
  readonly #client: pg.PoolClient
  readonly #prepared = new StatementCache(PREPARED_PER_CONNECTION)

  constructor(client: pg.PoolClient) {
    this.#client = client
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on('error', () => {
      this.isLost = true
    })
  }

  /** Statements that are put side by side go out at once, and are answered one after the other. */
  async run(text: string, values: readonly unknown[], form: RowForm): Promise<Answer> {
    this.#gather()
    const encoded = values.map(encode)
    const { name, evicted } = this.#prepared.choose(text)
    // Where that fails the transaction has failed before, which the statement itself will tell.
    if (evicted !== undefined) this.script(`deallocate ${evicted}`).catch(() => undefined)
    try {
      // The library's types do not know `queryMode`; rowMode decides between objects and arrays.
      const query: pg.QueryConfig = { text, values: encoded, ...EXTENDED, ...(name && { name }) }
      const result: pg.QueryResultBase & { rows: unknown[] } =
        form === 'arrays'
          ? await this.#client.query({ ...query, rowMode: 'array' })
          : await this.#client.query(query)
      return { rows: result.rows, command: result.command, count: result.rowCount ?? 0 }
    } catch (error) {
      const failure = this.#translate(error, text)
      if (failure instanceof StatementFailed && STALE.has(failure.code)) this.#prepared.forget(text)
      throw failure
    }
  }

  async script(text: string): Promise<void> {
    this.#gather()
    try {
      await this.#client.query(text)
    } catch (error) {
      throw this.#translate(error, text)
    }
  }

  async command(text: string): Promise<string> {
    this.#gather()
    try {
      // The library answers several statements with a list of results, whatever its types say.
      return [await this.#client.query(text)].flat().at(-1)?.command ?? ''
    } catch (error) {
      const failure = this.#translate(error, text)
      // Nobody knows what state the transaction is in: the pool shall not hand this connection on.
      this.isLost = true
      throw failure
    }
  }

  /** What is asked until nothing more can go on without an answer leaves in one piece: sending is dear. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  #translate(error: unknown, text: string): unknown {
    if (this.isLost) return databaseUnavailable(error)
    const failure = translateFailure(error, text)
    this.isLost = isUnavailable(failure)
    return failure
  }
}

const isUnavailable = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.reason.kind === 'unavailable'

/** What decoding and speed rely on, whatever the server's own configuration says. */
const sessionSettings = ({ statementTimeout }: PostgresOptions): string => `
  set time zone 'UTC';
  set datestyle to 'ISO, YMD';
  set search_path to public;
  set jit to off;
  set statement_timeout to ${Math.trunc(statementTimeout)}`
