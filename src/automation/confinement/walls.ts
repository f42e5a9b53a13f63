import { execFile } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Architecture, type HostKind, isArchitecture, seccompFilter } from './system-calls.ts'

/** What a launch is to do. */
export interface Launch {
  readonly architecture: Architecture
  /** Seccomp's program. A number in it stands for the id of the process that it is for. */
  readonly filter: { readonly base64: string; readonly placeholder: number }
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
  /** Bytes of memory of its own that it may write to. */
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
const CODE_USER = 60_601

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

const extension = extname(import.meta.filename)
const launcher = join(dirname(fileURLToPath(import.meta.url)), `launch${extension}`)

let program: string | undefined

/** The text of the launcher, without types: Node would take several times as long to remove them at each start. */
function launchProgram(): string {
  program ??= withoutTypes(readFileSync(launcher, 'utf8'))
  return program
}

function withoutTypes(text: string): string {
  if (extension !== '.ts') return text
  const { emitWarning } = process
  // Node warns of an experiment, which commands would print to people.
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}

/** No process has this id: it is above the largest that Linux gives. */
const PLACEHOLDER = 0x7fff_fff1
/** Version of Landlock from which it covers signals. */
const SIGNALS_SINCE = 6

/** A program with its arguments. */
interface Command {
  readonly command: string
  readonly args: readonly string[]
}

/** Part of a launch that differs between hosts. */
export interface HostPlan extends Pick<Launch, 'command' | 'args' | 'files' | 'limits' | 'keeps'> {
  readonly kind: HostKind
}

/** Node as the program that confines itself by `walls`, and then becomes the host. */
function launched(
  architecture: Architecture,
  walls: Walls,
  { kind, ...plan }: HostPlan,
  needs: Launch['needs'],
): Command {
  const coversSignals = walls.landlock >= SIGNALS_SINCE
  const filter = seccompFilter(architecture, { kind, pid: PLACEHOLDER, coversSignals })
  const launch: Launch = {
    ...{ ...plan, architecture, needs },
    filter: { base64: filter.toString('base64'), placeholder: PLACEHOLDER },
    user: hostUser(),
    parent: process.pid,
  }
  return {
    command: process.execPath,
    args: [
      ...['--experimental-ffi', '--no-warnings', '--input-type=module', '--eval', launchProgram()],
      ...['--', JSON.stringify(launch)],
    ],
  }
}

/** The command that starts a host behind the walls; without any walls, the host's own. */
export function behindWalls(walls: Walls, plan: HostPlan): Command {
  const { arch } = process
  if (!isArchitecture(arch) || (!walls.seccomp && walls.landlock === 0)) return plan
  return launched(arch, walls, plan, withoutReason(walls))
}

const withoutReason = ({ seccomp, landlock }: Walls): Walls => ({ seccomp, landlock })

let walls: Promise<Walls> | undefined

/** The walls of this machine, found out once by raising them around a Node that does nothing. */
export function kernelWalls(): Promise<Walls> {
  walls ??= tryWalls()
  return walls
}

const NONE: Walls = { seccomp: false, landlock: 0 }

async function tryWalls(): Promise<Walls> {
  const { arch, platform } = process
  if (platform !== 'linux' || !isArchitecture(arch)) return { ...NONE, reason: `there are none on ${platform} ${arch}` }
  const node = realpathSync(process.execPath)
  const plan: HostPlan = {
    ...{ kind: 'webAssembly', command: node, args: ['--eval', '0'], limits: {}, keeps: [] },
    files: { read: [...LIBRARIES, ...LOADER_FILES], execute: [node, ...LOADERS], write: [] },
  }
  try {
    const { command, args } = launched(arch, NONE, plan, null)
    const { stdout } = await promisify(execFile)(command, [...args], { env: {} })
    return JSON.parse(stdout)
  } catch (error) {
    return { ...NONE, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** One sentence about walls that this machine lacks; undefined if it has all. */
export function missingWalls({ seccomp, landlock, reason }: Walls): string | undefined {
  const missing = [...(seccomp ? [] : ['seccomp']), ...(landlock > 0 ? [] : ['Landlock'])]
  if (missing.length === 0) return undefined
  const why = reason === undefined ? '' : ` (${reason.replace(/^Error: /, '')})`
  return `Scripts and templates run without ${missing.join(' and ')} of the kernel${why}; only Node's permissions and WebAssembly confine them.`
}
