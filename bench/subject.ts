import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/postgres-server.ts'
import { memoryOf } from '../test/support/process-memory.ts'
import { type ServerProcess, startServer } from '../test/support/server.ts'
import { type Client, openClient } from './client.ts'

/** Settings of a server for DATABASE_URL: PostgreSQL's own durability, and as much memory as the reference's server had. */
const POSTGRES_SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB']
/** Milliseconds between checks for the first response of a starting server. */
const LOOK = 5

/** A checkout to measure: runs its service with default settings and a separate database. */
export interface Subject {
  readonly client: Client
  /** Starts the service again; returns the milliseconds until its first response. */
  restart(): Promise<number>
  /** Megabytes of memory of all its processes. */
  memory(): number
  close(): Promise<void>
}

/**
 * Starts the service of the checkout in `directory`, filled with data by the command `filling`: with default settings,
 * or with a server for DATABASE_URL.
 */
export async function openSubject(directory: string, hasServer: boolean, filling: readonly string[]): Promise<Subject> {
  const data = mkdtempSync(join(tmpdir(), 'cadastre-bench-'))
  const postgres = hasServer ? await startPostgres(POSTGRES_SETTINGS) : undefined
  const environment = {
    ...{ DATA_DIR: data, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: '' },
    // Blank, so that a database in the caller's environment is never used.
    DATABASE_URL: postgres?.socketUrl ?? '',
  }
  await run(directory, filling, environment)
  let server: ServerProcess = await startServer(environment, LOOK, directory)
  let client = openClient(server.url)
  return {
    get client() {
      return client
    },
    restart: async () => {
      client.close()
      await server.stop()
      const start = performance.now()
      server = await startServer(environment, LOOK, directory)
      client = openClient(server.url)
      return performance.now() - start
    },
    memory: () => {
      const { service, database } = memoryOf(server.process.pid ?? 0)
      return (service + database) / 1_048_576
    },
    close: async () => {
      client.close()
      await server.stop()
      await postgres?.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Runs a command of the checkout. */
async function run(
  directory: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const env = { ...process.env, ...environment }
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  const child = spawn(process.execPath, command, { cwd: directory, env, stdio: [...stdio] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The data could not be made: ${command.join(' ')}`)
}
