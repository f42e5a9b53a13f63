import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { HostKind } from './system-calls.ts'

/** What a launch is to do. */
export interface Launch {
  readonly kind: HostKind
  /** Program that becomes the host. */
  readonly command: string
  readonly args: readonly string[]
  readonly files: Files
  readonly limits: Limits
  /** Id of the user and group that the host gets; null: that of the service. */
  readonly user: number | null
  /** Id of the process with which the host ends. */
  readonly parent: number
  /** Open descriptors that the host inherits besides the first three. */
  readonly keeps: readonly number[]
  /** Walls without which nothing is started; null: none, and those that the kernel has are written to the output. */
  readonly needs: Walls | null
}

/** Files and directories that a host may read, execute and change. */
export interface Files {
  readonly read: readonly string[]
  readonly execute: readonly string[]
  readonly write: readonly string[]
}

/** Limits of a process of a host. */
export interface Limits {
  /** Bytes of memory that it may write to. */
  readonly data?: number
  /** Bytes of a file. */
  readonly fileSize?: number
  /** Open files. */
  readonly files?: number
}

/** What the kernel does for a host. */
export interface Walls {
  /** Refuses system calls. */
  readonly seccomp: boolean
  /** Version of Landlock, which refuses files; 0 without it. */
  readonly landlock: number
  /** Why there are none. */
  readonly reason?: string
}

/**
 * User and group of code of users when root runs the service. Nobody else has it: it lies in the range that systemd
 * leaves unused (systemd, "Users, Groups, UIDs and GIDs on systemd Systems").
 */
export const CODE_USER = 60_601

/** The user of hosts; null: that of this process. */
export const hostUser = (): number | null => (process.getuid?.() === 0 ? CODE_USER : null)

/** Files that every program needs to start: its libraries, and where to find them. */
export const LIBRARIES = ['/lib', '/lib32', '/lib64', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/local/lib']
export const LOADER_FILES = [
  '/etc/ld.so.cache',
  '/etc/ld-musl-x86_64.path',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/openssl.cnf',
]
/** Programs that load the libraries of others. */
export const LOADERS = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1', '/lib/ld-musl-x86_64.so.1']
export const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom']

const launcher = join(dirname(fileURLToPath(import.meta.url)), `launch${extname(import.meta.filename)}`)

/** A program with its arguments. */
interface Command {
  readonly command: string
  readonly args: readonly string[]
}

/** Node as the program that confines itself, and then does what `launch` says. */
const launched = (launch: Launch): Command => ({
  command: process.execPath,
  args: ['--experimental-ffi', '--no-warnings', launcher, JSON.stringify(launch)],
})

/** Part of a launch that differs between hosts. */
export type HostPlan = Pick<Launch, 'kind' | 'command' | 'args' | 'files' | 'limits' | 'keeps'>

/** The command that starts a host behind the walls; without any walls, the host's own. */
export function behindWalls(walls: Walls, { command, args, ...plan }: HostPlan): Command {
  if (!walls.seccomp && walls.landlock === 0) return { command, args }
  return launched({ ...plan, command, args, user: hostUser(), parent: process.pid, needs: withoutReason(walls) })
}

const withoutReason = ({ seccomp, landlock }: Walls): Walls => ({ seccomp, landlock })

let found: Promise<Walls> | undefined

/** The walls of this machine, found out once by raising them around a Node that does nothing. */
export function kernelWalls(): Promise<Walls> {
  found ??= tryWalls()
  return found
}

async function tryWalls(): Promise<Walls> {
  const node = realpathSync(process.execPath)
  const { command, args } = launched({
    ...{ kind: 'webAssembly', command: node, args: ['--eval', '0'], limits: {}, keeps: [] },
    files: { read: [...LIBRARIES, ...LOADER_FILES], execute: [node, ...LOADERS], write: [] },
    user: hostUser(),
    parent: process.pid,
    needs: null,
  })
  try {
    const { stdout } = await promisify(execFile)(command, [...args], { env: {} })
    return JSON.parse(stdout)
  } catch (error) {
    return { seccomp: false, landlock: 0, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** One sentence about walls that this machine lacks; undefined if it has all. */
export function missingWalls({ seccomp, landlock, reason }: Walls): string | undefined {
  const missing = [...(seccomp ? [] : ['seccomp']), ...(landlock > 0 ? [] : ['Landlock'])]
  if (missing.length === 0) return undefined
  const why = reason === undefined ? '' : ` (${reason.replace(/^Error: /, '')})`
  return `Scripts and templates run without ${missing.join(' and ')} of the kernel${why}; only Node's permissions and WebAssembly confine them.`
}
