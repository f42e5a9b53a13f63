import { join } from 'node:path'
import { ApiError, ConfigurationError } from '../errors.ts'
import { volatile } from '../sql/fragment.ts'
import type { Database } from './database.ts'

/** The part of the configuration that locates the data. */
export interface StorageSettings {
  /** postgres://…; undefined for the embedded database. */
  readonly databaseUrl: string | undefined
  /** URL of the same servers that bypasses any pooler. */
  readonly databaseSessionUrl?: string | undefined
  /** URLs of standbys that may serve reads. */
  readonly databaseReplicaUrls?: readonly string[] | undefined
  readonly databasePoolSize: number
  /** Directory of everything that the service stores, or `memory://`. */
  readonly dataDir: string
}

export interface OpenOptions {
  /** Receives a sentence about later problems with a server. */
  readonly warn?: ((sentence: string) => void) | undefined
}

/** Milliseconds after which a server cancels a statement; the embedded database cannot interrupt one. */
const STATEMENT_TIMEOUT = 60_000
const OLDEST_POSTGRES = 15

/**
 * Opens the database that the configuration names. Throws ConfigurationError when it cannot be used:
 * unreachable, too old, or open in another process.
 */
export async function openDatabase(settings: StorageSettings, { warn }: OpenOptions = {}): Promise<Database> {
  if (settings.databaseUrl === undefined) {
    const directory = settings.dataDir === 'memory://' ? undefined : join(settings.dataDir, 'database')
    const { openPglite } = await import('./pglite.ts')
    return await openPglite(directory)
  }
  const { openPostgres } = await import('./postgres.ts')
  const database = openPostgres({
    url: settings.databaseUrl,
    sessionUrl: settings.databaseSessionUrl,
    replicaUrls: settings.databaseReplicaUrls,
    poolSize: settings.databasePoolSize,
    statementTimeout: STATEMENT_TIMEOUT,
    warn,
  })
  try {
    await checkServer(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

async function checkServer(database: Database): Promise<void> {
  const question = volatile`
    select current_setting('server_version_num')::int / 10000, current_setting('server_encoding')`
  const [[version, encoding] = []] = await database.queryArrays(question).catch((error: unknown) => {
    throw new ConfigurationError(`DATABASE_URL names a server that cannot be used: ${why(error)}`)
  })
  if (Number(version) < OLDEST_POSTGRES) {
    throw new ConfigurationError(
      `DATABASE_URL names PostgreSQL ${version}; version ${OLDEST_POSTGRES} or later is needed.`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new ConfigurationError(`DATABASE_URL names a database in ${encoding}; create one with the encoding UTF8.`)
  }
}

/** The driver's message, which names host and port or the refused role. */
function why(error: unknown): string {
  const cause = error instanceof ApiError ? error.cause : error
  if (cause instanceof AggregateError) return cause.errors.map(why).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
