import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOCALE } from '../../src/db/embedded/embedded-server.ts'
import { atExit } from './at-exit.ts'
import { freePort } from './free-port.ts'
import { giveTo, type TestPrograms, testPrograms } from './postgres-programs.ts'

/** A PostgreSQL server for one run of the tests, with its data in a temporary directory. */
export interface PostgresServer {
  readonly url: string
  /** The same over a Unix domain socket. */
  readonly socketUrl: string
  /** Directory of the data; `postmaster.pid` in it names the server's process. */
  readonly directory: string
  /** Stops the server and deletes its data. */
  stop(): Promise<void>
}

/** Fast and not durable: a crash loses test data only. */
export const UNSAFE = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  ...['max_connections=200', 'max_locks_per_transaction=512', 'autovacuum=off'],
]

/** Starts PostgreSQL 18 on a free port, with settings of the form `name=value`, and with its data below `place`. */
export async function startPostgres(settings: readonly string[] = UNSAFE, place = tmpdir()): Promise<PostgresServer> {
  const directory = newDirectory(place)
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  const data = join(directory, 'data')
  try {
    const programs = testPrograms()
    initialise(programs, directory, data)
    const port = await freePort()
    const child = await start(programs, [
      ...['-D', data, '-p', String(port)],
      // A statement that runs away fails, before it fills the memory in which the tests' files are.
      ...['-c', 'temp_file_limit=2GB'],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${data}`],
      ...settings.flatMap((setting) => ['-c', setting]),
    ])
    const emergency = atExit(() => {
      child.kill('SIGQUIT')
      remove()
    })
    return {
      url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
      socketUrl: `postgres://postgres:postgres@localhost:${port}/postgres?host=${data}`,
      directory: data,
      stop: async () => {
        emergency.callOff()
        await end(child)
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** A temporary directory that the user who runs the server can enter. */
function newDirectory(place: string): string {
  const directory = mkdtempSync(join(place, 'cadastre-postgres-'))
  chmodSync(directory, 0o755)
  return directory
}

/** Creates the files of a new server, whose superuser is `postgres`. */
export function initialise(programs: TestPrograms, directory: string, data: string): void {
  const password = join(directory, 'password')
  writeFileSync(password, 'postgres\n')
  mkdirSync(data, { mode: 0o700 })
  if (programs.user) giveTo(programs.user, data)
  const { status, stdout, stderr, error } = spawnSync(
    programs.initdb,
    [...['--pgdata', data, '--username=postgres', '--auth=password', `--pwfile=${password}`], ...LOCALE, '--no-sync'],
    { ...programs.user, cwd: directory, encoding: 'utf8' },
  )
  if (status !== 0) {
    throw new Error(`PostgreSQL's initdb failed: ${error?.message ?? ''}\n${stdout}${stderr}`)
  }
}

const READY = /ready to accept (read-only )?connections/

/** The server's process, as soon as it accepts connections. */
export async function start(programs: TestPrograms, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(programs.postgres, args, {
    ...programs.user,
    // The directory of the tests may be closed to the server's user.
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  const { promise: isReady, resolve, reject } = Promise.withResolvers<void>()
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-10_000)
    if (READY.test(log)) resolve()
  })
  child.once('error', reject)
  child.once('exit', () => reject(new Error(`PostgreSQL does not start:\n${log}`)))
  await isReady
  return child
}

/** Stops the server without waiting for its clients: "fast shutdown", or a crash by SIGKILL. */
export async function end(child: ChildProcess, signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
