import { volatile } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { ChangeNotifications } from './change-notifications.ts'
import type { Connections, Database, WriteProblem } from './database.ts'
import { STANDBY } from './failures.ts'
import type { Heartbeat } from './listening-connection.ts'
import { type FoundServer, PrimaryFinder } from './primary-finder.ts'
import { Replicas } from './replicas.ts'
import { parsePosition, type ServerPosition } from './required-positions.ts'
import { rollBackOf } from './roll-back.ts'
import { type ServerRole, timelineOf } from './server-role.ts'
import { serverUrls } from './server-urls.ts'
import { type Lease, SessionPool } from './session-pool.ts'
import { sessionQueries } from './session-queries.ts'
import { refuseInsideTransaction, runTransaction } from './transaction.ts'

interface PostgresOptions {
  /** postgres://user:password@host:port/database?sslmode=…, with several hosts if a standby may be promoted. */
  readonly url: string
  /** A URL of the same servers that bypasses any pooler; undefined if `url` itself does. */
  readonly sessionUrl?: string | undefined
  /** URLs of standbys that may serve reads. */
  readonly replicaUrls?: readonly string[] | undefined
  /** Maximum number of connections to a server. */
  readonly poolSize: number
  /** Milliseconds after which a statement is cancelled; 0 for never. */
  readonly statementTimeout: number
  /** Receives messages for operators. */
  readonly warn?: ((sentence: string) => void) | undefined
  /** How the connection that receives notifications is tested; for tests, which cannot wait for seconds. */
  readonly heartbeat?: Heartbeat
  /** Milliseconds before it is opened again; for tests as well. */
  readonly listenRetryDelay?: number
}

/** PostgreSQL, 15 or later, on the server of the URL that accepts writes, through a pool of connections. Connects at the first query. */
export function openPostgres(options: PostgresOptions): Database {
  const { url, sessionUrl, replicaUrls = [], warn = () => undefined } = options
  const preparesStatements = sessionUrl === undefined
  const pools = new Map<string, SessionPool>()
  const finder = new PrimaryFinder({
    ...serverUrls(url),
    warn,
    onMoved: (from) => {
      pools.get(from.url)?.abandon()
      notifications.restart()
    },
  })
  const listeningFinder =
    sessionUrl === undefined ? finder : new PrimaryFinder({ ...serverUrls(sessionUrl), warn: () => undefined })

  const poolOf = (server: string): SessionPool => {
    const pool = pools.get(server) ?? new SessionPool({ ...options, url: server, preparesStatements })
    pools.set(server, pool)
    return pool
  }

  const withSession = async <T>(work: (lease: Lease) => Promise<T>): Promise<T> => {
    refuseInsideTransaction(finder)
    const lease = await acquire(finder, poolOf)
    try {
      return await work(lease)
    } finally {
      lease.release()
    }
  }

  const queryable = sessionQueries(
    (work) => withSession(({ session }) => work(session)),
    () => refuseInsideTransaction(finder),
  )
  const notifications = new ChangeNotifications({
    finder: listeningFinder,
    // If another server has been promoted meanwhile, that one is used from now on. Otherwise, idle connections may be
    // as dead as this one.
    onLost: () => {
      for (const pool of pools.values()) pool.retire()
      for (const serverFinder of new Set([finder, listeningFinder])) serverFinder.search().catch(() => undefined)
    },
    pool: queryable,
    warn,
    heartbeat: options.heartbeat,
    retryDelay: options.listenRetryDelay,
  })

  const replicas =
    replicaUrls.length === 0
      ? undefined
      : new Replicas({
          ...{ ...options, urls: replicaUrls, preparesStatements, warn },
          readPosition: () => readPosition(queryable),
          onTimelineChange: notifications.restart,
        })

  const transaction: Database['transaction'] = (work) =>
    withSession(({ session }) => runTransaction(finder, session, notifications.announce, work))

  return {
    ...queryable,
    transaction,
    rollBack: rollBackOf(transaction),
    script: (text) => withSession(({ session }) => session.script(text)),
    ...(replicas && { replicas }),
    connections: () => {
      const ofPrimary = [...pools.values()].map(({ connections }) => connections)
      return sumOf([...ofPrimary, ...(replicas?.connections ?? [])])
    },
    writeProblem: () => problemOf(finder.found),
    writable: () => finder.writable,
    subscribe: (listener) => notifications.subscribe(listener),
    reconnect: () => {
      for (const pool of pools.values()) pool.retire()
    },
    close: async () => {
      finder.close()
      listeningFinder.close()
      await notifications.close()
      await replicas?.close()
      await Promise.all([...pools.values()].map((pool) => pool.close()))
    },
  }
}

/** A session of the server in use, or of another one if that refuses connections. */
function acquire(finder: PrimaryFinder, poolOf: (url: string) => SessionPool): Promise<Lease> {
  const acquireFrom = (url: string): Promise<Lease> =>
    poolOf(url)
      .acquire()
      .catch(async (error: unknown) => {
        finder.forget(url)
        const server = await finder.current()
        // Nothing has been sent, so the work can start on another server.
        if (server.url === url) throw error
        return await poolOf(server.url).acquire()
      })
  const { found: primary } = finder
  return primary ? acquireFrom(primary.url) : finder.current().then(({ url }) => acquireFrom(url))
}

const problemOf = (server: Pick<FoundServer, keyof ServerRole> | undefined) =>
  server?.isReadOnly ? ON_STANDBY : undefined

const ON_STANDBY: WriteProblem = { kind: 'readOnly', detail: STANDBY }

async function readPosition(primary: Queryable): Promise<ServerPosition> {
  const [[position, walFile] = []] = await primary.queryArrays(
    volatile`select lsn::text, pg_walfile_name(lsn) from pg_current_wal_insert_lsn() lsn`,
  )
  return { timeline: timelineOf(String(walFile)), position: parsePosition(String(position)) }
}

const sumOf = (parts: readonly Connections[]): Connections =>
  parts.reduce(
    (sum, { open, idle, waiting }) => ({
      open: sum.open + open,
      idle: sum.idle + idle,
      waiting: sum.waiting + waiting,
    }),
    { open: 0, idle: 0, waiting: 0 },
  )
