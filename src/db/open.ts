import { ApiError, ConfigurationError } from '../base/errors.ts'
import { volatile } from '../sql/fragment.ts'
import type { Database } from './database.ts'
import { clusterDirectory } from './embedded/cluster-directory.ts'
import type { EmbeddedSettings } from './embedded/embedded-server.ts'
import { withRoomOnDisk } from './embedded/room-on-disk.ts'

/** The part of the configuration that locates the data. */
interface StorageSettings extends EmbeddedSettings {
  /** postgres://…; undefined for the server that the service starts. */
  readonly databaseUrl: string | undefined
  /** URL of the same servers that bypasses any pooler. */
  readonly databaseSessionUrl?: string | undefined
  /** URLs of standbys that may serve reads. */
  readonly databaseReplicaUrls?: readonly string[] | undefined
}

interface OpenOptions {
  /** Receives a sentence about later problems with a server. */
  readonly warn?: ((sentence: string) => void) | undefined
}

/** Milliseconds after which the server cancels a statement. */
const STATEMENT_TIMEOUT = 60_000
const OLDEST_POSTGRES = 15

/**
 * Opens the database that the configuration names: that of DATABASE_URL, or the one in DATA_DIR, whose server is started
 * unless a service has done so. Throws ConfigurationError when it cannot be used: unreachable, or too old.
 */
export async function openDatabase(settings: StorageSettings, { warn }: OpenOptions = {}): Promise<Database> {
  // Commands that open no database need not load the driver.
  const { openPostgres } = await import('./postgres.ts')
  const common = { poolSize: settings.databasePoolSize, statementTimeout: STATEMENT_TIMEOUT, warn }
  if (settings.databaseUrl === undefined) {
    const { useEmbeddedServer } = await import('./embedded/embedded-server.ts')
    const server = await useEmbeddedServer(settings, { role: 'command', warn })
    const database = openPostgres({ ...common, url: server.url })
    return {
      ...withRoomOnDisk(database, clusterDirectory(settings.dataDir)),
      close: async () => {
        await database.close()
        await server.release()
      },
    }
  }
  const database = openPostgres({
    ...common,
    url: settings.databaseUrl,
    sessionUrl: settings.databaseSessionUrl,
    replicaUrls: settings.databaseReplicaUrls,
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
