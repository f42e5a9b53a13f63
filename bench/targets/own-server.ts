import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import { SERVER_TOKEN, type ServerProcess, startServer } from '../../test/support/server.ts'
import { type Filling, fill } from './fill.ts'
import type { Target } from './target.ts'
import { versionOfApi, versionOfPostgres } from './versions.ts'

export type Storage = 'postgres' | 'pglite'

/** As safe as PostgreSQL is by itself, and with the memory that the reference's server had. */
const POSTGRES_SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB']
/** Milliseconds between two looks at whether a server that starts answers already. */
const LOOK = 5

const running = new Set<() => Promise<void>>()

/** For an end that comes early: nothing that was started stays behind. */
export const stopOwnServers = async (): Promise<void> => {
  await Promise.allSettled([...running].map((stop) => stop()))
}

/**
 * Starts the service in a process of its own, over a new database with data in it. Settings that say
 * nothing of the data come from the environment.
 */
export async function startOwnServer(storage: Storage, filling: Filling): Promise<Target> {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-bench-'))
  const postgres = storage === 'postgres' ? await startPostgres(POSTGRES_SETTINGS) : undefined
  const environment = {
    DATA_DIR: directory,
    LOG_LEVEL: 'warn',
    // Blank: whatever database the environment names is left alone.
    DATABASE_URL: postgres?.url ?? '',
  }
  const clear = async () => {
    running.delete(clear)
    await postgres?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  running.add(clear)
  try {
    fill(filling, environment)
    return await serve(storage, environment, { postgres, clear })
  } catch (error) {
    await clear()
    throw error
  }
}

async function serve(
  storage: Storage,
  environment: Readonly<Record<string, string>>,
  { postgres, clear }: { postgres: PostgresServer | undefined; clear: () => Promise<void> },
): Promise<Target> {
  let server: ServerProcess = await startServer(environment)
  const database = postgres && processOf(postgres)
  const close = async () => {
    running.delete(close)
    await server.stop()
    await clear()
  }
  running.delete(clear)
  running.add(close)
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
      restart: async () => {
        await server.stop()
        const start = performance.now()
        server = await startServer(environment, LOOK)
        return performance.now() - start
      },
    },
    close,
  }
}

/** The server's own note of its process, in the first line. */
const processOf = ({ directory }: PostgresServer): number =>
  Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
