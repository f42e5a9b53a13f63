import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError, codeOf } from '../../base/errors.ts'
import { DirectoryLock, type Holder } from '../directory-lock.ts'
import { askOnce } from '../server-role.ts'
import { clusterDirectory } from './cluster-directory.ts'
import { type PostgresPrograms, postgresPrograms } from './postgres-programs.ts'
import { passwordOf, ServerPassword, USER } from './server-password.ts'
import { dataArgument, PROGRAM_ENVIRONMENT, ServerProcess, serverProcesses, startFailure } from './server-process.ts'
import { giveTo, nobody, type SystemUser, serverUser } from './server-user.ts'

/** The part of the configuration that concerns the server. */
export interface EmbeddedSettings {
  readonly dataDir: string
  /** Megabytes of the server's cache. */
  readonly databaseMemory: number
  readonly databasePoolSize: number
  readonly workers: number
}

interface EmbeddedOptions {
  /**
   * A service keeps the server for itself and its commands; a second one is refused. A command uses the server of a
   * running service; without one, it starts the server for as long as it needs it.
   */
  readonly role: 'service' | 'command'
  /** Receives a sentence about problems. */
  readonly warn?: ((sentence: string) => void) | undefined
}

/** A PostgreSQL server on DATA_DIR that accepts connections. */
export interface EmbeddedServer {
  /** postgres://… */
  readonly url: string
  /** Stops the server if this process has started it. */
  release(): Promise<void>
}

/** Milliseconds between two checks of a server or a lock. */
const CHECK_INTERVAL = 100
/** Milliseconds after which a running service should have started its server. */
const PATIENCE = 60_000

/** A restore drops and creates all tables, indexes and views in one transaction, and each of them is a lock until its end. */
const LOCKS = 512
/** Connections of a process beside its part of the pool: for notifications, and to ask for the state of the server. */
const CONNECTIONS_BESIDE_POOL = 6
/** Connections for commands beside the service, each of which has a pool too. */
const CONNECTIONS_OF_COMMANDS = 84

/** Options of initdb: upper and lower case of all letters, and an order that no upgrade of the system changes. */
export const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** `syncfs` flushes the whole disk at once; on other systems PostgreSQL flushes file by file, which takes seconds. */
const SYNC_METHOD = process.platform === 'linux' ? 'syncfs' : 'fsync'

/**
 * The PostgreSQL server on DATA_DIR, created and started if necessary. Throws ConfigurationError if that is impossible,
 * or if another service has started it and this one wants to.
 */
export async function useEmbeddedServer(
  settings: EmbeddedSettings,
  { role, warn = () => undefined }: EmbeddedOptions,
): Promise<EmbeddedServer> {
  const directory = clusterDirectory(settings.dataDir)
  const lock = new DirectoryLock(directory, role)
  const deadline = performance.now() + PATIENCE
  let waitsFor: number | undefined
  for (;;) {
    const holder = lock.claim()
    if (!holder) return await started(settings, lock, warn)
    if (isUsableBy(role, holder)) {
      if ((await stateOf(directory)) === 'ready') return { url: urlOf(directory), release: async () => undefined }
      if (performance.now() > deadline) {
        throw new ConfigurationError(`The PostgreSQL server of process ${holder.pid} does not respond: read its log.`)
      }
    } else if (role === 'service' && holder.role === 'service' && holder.isRunning) {
      throw new ConfigurationError(
        `The data directory ${resolve(settings.dataDir)} is in use by another service, process ${holder.pid}: stop that first, or set DATA_DIR to another directory.`,
      )
    } else if (waitsFor !== holder.pid) {
      waitsFor = holder.pid
      warn(`Process ${holder.pid}, a ${holder.role}, uses the data directory; waiting until it has ended.`)
    }
    await sleep(CHECK_INTERVAL)
  }
}

/** Whether a server that another caller has started may be used: it must not end before this caller does. */
const isUsableBy = (role: EmbeddedOptions['role'], holder: Holder): boolean =>
  holder.pid === process.pid || (role === 'command' && holder.role === 'service')

async function started(
  settings: EmbeddedSettings,
  lock: DirectoryLock,
  warn: (sentence: string) => void,
): Promise<EmbeddedServer> {
  const directory = clusterDirectory(settings.dataDir)
  try {
    if (existsSync(directory)) await refuseServerElsewhere(directory)
    const user = serverUser(directory)
    const programs = postgresPrograms(user)
    if (!existsSync(directory)) create(directory, programs, user)
    const password = new ServerPassword(directory, user)
    password.require()
    const server = await ServerProcess.start({ programs, directory, user, settings: serverSettings(settings), warn })
    const release = async () => {
      await server.stop()
      lock.release()
    }
    try {
      await password.agree(
        (text) => askOnce(urlOf(directory), text),
        () => server.reload(),
      )
    } catch (error) {
      await release()
      throw error
    }
    return { url: urlOf(directory), release }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Throws ConfigurationError if a server uses the directory that cannot be stopped from here: that of a service which was
 * killed in another container.
 */
async function refuseServerElsewhere(directory: string): Promise<void> {
  if (serverProcesses(directory)?.length || (await stateOf(directory)) === 'none') return
  throw new ConfigurationError(
    `A PostgreSQL server that a service in another container has started still uses ${directory}: stop that container.`,
  )
}

/** Creates the files under another name first, so that an interrupted start leaves nothing half-finished behind. */
function create(directory: string, { initdb }: PostgresPrograms, user: SystemUser | undefined): void {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  // initdb needs a user with a name, which the server's own user lacks.
  const creator = user && nobody()
  if (creator) giveTo(creator, unfinished)
  const { status, stderr, error } = spawnSync(
    initdb,
    [
      ...['-D', dataArgument(unfinished), '--username', USER],
      // The first start sets a password.
      '--auth=trust',
      ...LOCALE,
      `--sync-method=${SYNC_METHOD}`,
    ],
    { ...creator, cwd: unfinished, env: PROGRAM_ENVIRONMENT, encoding: 'utf8' },
  )
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw startFailure(reasonOf(error, stderr), stderr)
  }
  if (user) giveTo(user, unfinished)
  renameSync(unfinished, directory)
}

function reasonOf(error: Error | undefined, stderr: string): string {
  if (error) return `its program initdb cannot be executed (${error.message})`
  if (stderr.includes('could not look up effective user ID')) {
    return `the system knows no user with the id ${process.getuid?.()}`
  }
  const [, reason = stderr.trim()] = /(?:error|FATAL|PANIC): +(.*)/.exec(stderr) ?? []
  return `its program initdb reports "${reason}"`
}

/** The memory is that of a small machine; connections are added as the configuration needs them. */
function serverSettings({ databaseMemory, databasePoolSize, workers }: EmbeddedSettings): readonly string[] {
  const connections = databasePoolSize + CONNECTIONS_BESIDE_POOL * workers + CONNECTIONS_OF_COMMANDS
  return [
    ...['listen_addresses=', 'unix_socket_directories=.', 'unix_socket_permissions=0700'],
    ...[`shared_buffers=${databaseMemory}MB`, `max_connections=${connections}`],
    `max_locks_per_transaction=${LOCKS}`,
    // Processes of one query share memory in /dev/shm, of which containers have 64 MB.
    'max_parallel_workers_per_gather=0',
    // No other server follows this one.
    ...['wal_level=minimal', 'max_wal_senders=0', 'max_logical_replication_workers=0'],
    `recovery_init_sync_method=${SYNC_METHOD}`,
    // Errors of statements are the caller's business, and a statement may contain data.
    ...['log_line_prefix=', 'log_min_messages=log', 'log_min_error_statement=panic', 'log_checkpoints=off'],
  ]
}

const urlOf = (directory: string): string =>
  `postgres://${USER}:${passwordOf(directory)}@localhost/postgres?host=${encodeURIComponent(socketDirectory(directory))}&sslmode=disable`

/** Bytes that the path of a socket may have, without its name and the terminating zero. */
const LONGEST_SOCKET_DIRECTORY = 103 - '/.s.PGSQL.5432'.length

/** Short names of directories whose own paths are too long for a socket, for this process and its children. */
const shortNames = new Map<string, string>()

/** A path of the directory that is short enough to reach the socket in it. Throws ConfigurationError if there is none. */
function socketDirectory(directory: string): string {
  if (Buffer.byteLength(directory) <= LONGEST_SOCKET_DIRECTORY) return directory
  if (process.platform !== 'linux') {
    throw new ConfigurationError(
      `The path of DATA_DIR is too long: at most ${LONGEST_SOCKET_DIRECTORY - '/postgres'.length} bytes are possible on this system.`,
    )
  }
  const name = shortNames.get(directory) ?? `/proc/${process.pid}/fd/${openSync(directory, 'r')}`
  shortNames.set(directory, name)
  return name
}

const NOBODY_LISTENS: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT'])

/** Whether a server listens in the directory, in whichever container, and whether it accepts connections. */
async function stateOf(directory: string): Promise<'none' | 'busy' | 'ready'> {
  try {
    await askOnce(urlOf(directory), 'select 1')
    return 'ready'
  } catch (error) {
    return NOBODY_LISTENS.has(codeOf(error)) ? 'none' : 'busy'
  }
}
