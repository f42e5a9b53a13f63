import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../../test/support/at-exit.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts'
import { SERVER_TOKEN, type ServerProcess, startServer } from '../../test/support/server.ts'
import { type Filling, fill } from './fill.ts'
import { queryPostgres } from './query-postgres.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { versionOfApi, versionOfPostgres } from './versions.ts'

export type Storage = 'postgres' | 'pglite'

/** PostgreSQL's own durability, and as much memory as the reference's server had. */
export const POSTGRES_SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB']
/** Milliseconds between checks for the first response of a starting server. */
const LOOK = 5

/**
 * Starts the service in a process of its own, over a new database with data in it. Settings unrelated to the data
 * come from the environment.
 */
export async function startOwnServer(
  storage: Storage,
  filling: Filling,
  { nothingKept }: { readonly nothingKept: boolean },
): Promise<ServerUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-bench-'))
  const postgres = storage === 'postgres' ? await startPostgres(POSTGRES_SETTINGS) : undefined
  const environment = {
    DATA_DIR: directory,
    LOG_LEVEL: 'warn',
    // Queries name the lengths of their lists.
    MAX_PAGE_SIZE: '0',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    NO_PROXY: '*',
    // Blank, so that a database in the environment is never used.
    DATABASE_URL: postgres?.socketUrl ?? '',
    ...(nothingKept && { CACHE_SIZE: '0' }),
  }
  // On an early exit only synchronous work is possible.
  const emergency = atExit(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const clear = async () => {
    await postgres?.stop()
    rmSync(directory, { recursive: true, force: true })
    emergency.callOff()
  }
  try {
    await fill(filling, environment)
    await vacuum(postgres)
    return await serve(storage, environment, { postgres, clear })
  } catch (error) {
    await clear()
    throw error
  }
}

/** As autovacuum does within a minute. The embedded database is vacuumed by the service. */
async function vacuum(postgres: PostgresServer | undefined): Promise<void> {
  if (postgres) await queryPostgres(postgres.url, 'vacuum (analyze)')
}

async function serve(
  storage: Storage,
  environment: Readonly<Record<string, string>>,
  { postgres, clear }: { postgres: PostgresServer | undefined; clear: () => Promise<void> },
): Promise<ServerUnderTest> {
  let server: ServerProcess = await startServer(environment)
  const database = postgres && processOf(postgres)
  const emergency = atExit(() => server.process.kill('SIGKILL'))
  return {
    name: storage,
    get access() {
      return { url: server.url, token: SERVER_TOKEN }
    },
    get watched() {
      return { server: server.process.pid, database }
    },
    versions: {
      ...(await versionOfApi({ url: server.url, token: SERVER_TOKEN })),
      ...(postgres && (await versionOfPostgres(postgres.url))),
    },
    own: {
      environment,
      vacuum: () => vacuum(postgres),
      restart: async () => {
        await server.stop()
        const start = performance.now()
        server = await startServer(environment, LOOK)
        return performance.now() - start
      },
    },
    close: async () => {
      await server.stop()
      emergency.callOff()
      await clear()
    },
  }
}

/** Process id of the server, from the first line of its pid file. */
const processOf = ({ directory }: PostgresServer): number =>
  Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
