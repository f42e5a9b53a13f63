import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError, codeOf } from '../../base/errors.ts'
import { cannotRun, type PostgresPrograms } from './postgres-programs.ts'
import { giveTo, type SystemUser } from './server-user.ts'

interface ServerOptions {
  readonly programs: PostgresPrograms
  /** The data directory, as an absolute path. */
  readonly directory: string
  /** Undefined: the user of this process. */
  readonly user: SystemUser | undefined
  /** Settings of the server in the form `name=value`. */
  readonly settings: readonly string[]
  /** Receives a sentence about problems. */
  readonly warn: (sentence: string) => void
}

/** Milliseconds between two attempts to start a server that has ended by itself. */
const RESTART_DELAY = 1_000
/** Milliseconds that a server of an earlier run may take to end: it writes everything to disk. */
const LONGEST_END = 120_000
/** Milliseconds between two checks whether the processes of a former server have ended. */
const CHECK_INTERVAL = 50

/** Only what the programs need: the environment of the service contains its secrets. */
export const PROGRAM_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' } as const

/**
 * The data directory as an argument of a program whose working directory it is: on Linux, the user who runs the program
 * need not be able to enter the directories above it.
 */
export const dataArgument = (directory: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : directory)

/** A running PostgreSQL server. If it ends by itself, it is started again. It ends with this process, however that ends. */
export class ServerProcess {
  readonly #options: ServerOptions
  #child: ChildProcess | undefined
  #isStopping = false
  /** The directory as it was at the first start. */
  readonly #place: string
  /** Settles when no attempt to start the server again is under way. */
  #restarted: Promise<void> = Promise.resolve()

  /** Resolves when the server accepts connections. Throws ConfigurationError if it cannot be started. */
  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options)
    await server.#launch()
    return server
  }

  private constructor(options: ServerOptions) {
    this.#options = options
    this.#place = placeOf(options.directory)
  }

  /** Ends connections and the server, which writes everything to disk. */
  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#child) await end(this.#child)
    await this.#restarted
  }

  /** Lets the server read its configuration again. */
  reload(): void {
    this.#child?.kill('SIGHUP')
  }

  async #launch(): Promise<void> {
    const { directory, user, programs, settings, warn } = this.#options
    if (placeOf(directory) !== this.#place) {
      throw new ConfigurationError(
        `Another directory has taken the place of ${directory} since the start: restart the service, which knows the secrets of the former one only.`,
      )
    }
    await endForgotten(directory, warn)
    // Root's services of earlier versions shared `nobody` with other programs.
    if (user && statSync(directory).uid !== user.uid) giveTo(user, directory)
    // PostgreSQL refuses a directory that others may write to, and volumes of Kubernetes get the group's rights.
    chmodSync(directory, 0o700)
    const child = spawn(
      programs.postgres,
      ['-D', dataArgument(directory), ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...user,
        cwd: directory,
        env: PROGRAM_ENVIRONMENT,
        stdio: ['ignore', 'ignore', 'pipe'],
        // Ctrl+C in a terminal is sent to the whole process group, and the service still needs the server then.
        detached: true,
      },
    )
    await untilSpawned(child)
    await guard(child, user)
    try {
      await untilReady(child, warn)
    } catch (error) {
      await end(child)
      throw error
    }
    this.#child = child
    child.once('exit', (code, signal) => {
      if (this.#isStopping) return
      warn(`PostgreSQL has ended (${signal ?? code}) and is started again.`)
      this.#restarted = this.#restart()
    })
    if (this.#isStopping) await end(child)
  }

  async #restart(): Promise<void> {
    let lastReason: string | undefined
    while (!this.#isStopping) {
      try {
        return await this.#launch()
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (reason !== lastReason) this.#options.warn(reason)
        lastReason = reason
        await sleep(RESTART_DELAY)
      }
    }
  }
}

/** What tells a directory from another one with the same path; empty if there is none. */
function placeOf(directory: string): string {
  const status = statSync(directory, { throwIfNoEntry: false })
  return status ? `${status.dev} ${status.ino}` : ''
}

/** Throws ConfigurationError if the program cannot be executed: for the wrong system, or as that user. */
async function untilSpawned(child: ChildProcess): Promise<void> {
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw cannotRun(
      codeOf(error) === 'EPERM'
        ? 'it refuses to run as root, and this process may not become another user'
        : `its program cannot be executed on this system (${String(codeOf(error))})`,
    )
  }
}

/**
 * Starts a process that ends the server as soon as this process has ended: the kernel then closes the pipe that the
 * guard reads. A shell takes a thirtieth of the memory that another Node.js process would.
 */
async function guard(server: ChildProcess, user: SystemUser | undefined): Promise<void> {
  const shell = spawn('/bin/sh', ['-c', 'read -r end; kill -INT "$1"', 'guard', String(server.pid)], {
    ...user,
    ...{ cwd: '/', env: {}, detached: true },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await untilSpawned(shell)
  const release = () => shell.kill('SIGKILL')
  if (hasEnded(server)) release()
  else server.once('exit', release)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** A "fast shutdown": the server does not wait for its clients. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return
  child.kill('SIGINT')
  await once(child, 'exit')
}

const READY = 'database system is ready to accept connections'

/** Beginnings of messages about any start, recovery or end, and about connections that end with them. */
const ROUTINE = [
  ...['starting PostgreSQL', 'listening on', READY, 'database system was shut down', 'database system is shut down'],
  ...['database system was interrupted', 'redo ', 'invalid record length', 'checkpoint '],
  ...['received fast shutdown', 'aborting any active', 'background worker', 'shutting down'],
  ...['terminating connection', 'the database system is ', 'connection to client lost', 'unexpected EOF on client'],
  ...['could not send data to client', 'could not receive data from client'],
  // Reading the configuration again: options of the command line are not in its file.
  ...['received SIGHUP', 'parameter "', 'configuration file "'],
]

/**
 * Passes on the problems that the server logs, as long as it runs. Throws ConfigurationError if it ends before it
 * accepts connections, or an error with the code ENOSPC if its disk is full.
 */
async function untilReady(child: ChildProcess, warn: (sentence: string) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let [reason, output] = ['it ends at once', '']
  if (!child.stderr) throw new Error('The server was started without its log')
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (DISK_FULL.test(line)) output = line
    // What it says before it writes a log, such as that it cannot enter its directory.
    if (line.startsWith('postgres: ')) reason = `it reports "${line}"`
    // DETAIL, HINT and STATEMENT belong to a message; a statement may contain data.
    const [, level, text = ''] = /^(LOG|FATAL|PANIC): {2}(.*)/.exec(line) ?? []
    if (level === undefined) return
    if (text.startsWith(READY)) resolve()
    if (level !== 'LOG') reason = `it reports "${text}"`
    if (!ROUTINE.some((beginning) => text.startsWith(beginning))) warn(`PostgreSQL: ${text}`)
  })
  child.once('close', () => reject(startFailure(reason, output)))
  await promise
}

/** PostgreSQL's words for a full disk, the second of them in hints. */
const DISK_FULL = /No space left on device|Check free disk space/

/** The error for a program of PostgreSQL that fails with this output. `reason` completes the sentence about it. */
export const startFailure = (reason: string, output: string): Error =>
  DISK_FULL.test(output)
    ? Object.assign(new Error(`The disk is full: ${reason}`), { code: 'ENOSPC' })
    : cannotRun(reason)

/**
 * Waits until no process of a former server uses the directory, after ending that server if necessary. Its guard does
 * so too, unless both were killed. Where there is no /proc, PostgreSQL itself refuses to start a second server. Throws
 * ConfigurationError if the server does not end, such as that of a running service.
 */
async function endForgotten(directory: string, warn: (sentence: string) => void): Promise<void> {
  const path = join(directory, 'postmaster.pid')
  let isFirst = true
  const began = performance.now()
  for (;;) {
    const processes = serverProcesses(directory)
    if (processes === undefined) return
    if (processes.length === 0) {
      // Its process has ended, but another one may have the same id by now, which PostgreSQL would take for a server.
      rmSync(path, { force: true })
      return
    }
    if (isFirst) {
      warn('A PostgreSQL server of an earlier run still uses the data; it is being stopped.')
      const main = Number.parseInt(existsSync(path) ? readFileSync(path, 'utf8') : '', 10)
      if (processes.includes(main)) process.kill(main, 'SIGINT')
    }
    isFirst = false
    if (performance.now() - began > LONGEST_END) {
      throw new ConfigurationError(
        `The PostgreSQL server with the process ${processes[0]} still uses ${directory} and does not end: stop the service that it belongs to.`,
      )
    }
    await sleep(CHECK_INTERVAL)
  }
}

/** Ids of PostgreSQL's processes that work in the directory; undefined if the system does not tell. */
export function serverProcesses(directory: string): readonly number[] | undefined {
  if (process.platform !== 'linux') return undefined
  const { dev, ino } = statSync(directory)
  const worksHere = (id: string): boolean => {
    try {
      // A container knows the directory by another path.
      const there = statSync(`/proc/${id}/cwd`)
      return there.dev === dev && there.ino === ino && readFileSync(`/proc/${id}/comm`, 'utf8').trim() === 'postgres'
    } catch {
      // It has ended, or belongs to another user.
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && worksHere(name))
    .map(Number)
}
