/**
 * Program that confines itself by the kernel and then becomes a host of users' code, so that the walls stand around all
 * threads from the host's first instruction. Its argument is a `Launch` as JSON. It needs Node's --experimental-ffi, and
 * imports nothing of this program: `walls.ts` passes it to Node as a text, without types, which starts much faster.
 */
import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Launch, Walls } from './walls.ts'

/** Numbers of the system calls that this program makes, by architecture. */
const CALLS = {
  x64: {
    ...{ prctl: 157, fcntl: 72, prlimit64: 302, capset: 126, setgroups: 116, setresgid: 119, setresuid: 117 },
    ...{ seccomp: 317, createRuleset: 444, addRule: 445, restrictSelf: 446 },
  },
  arm64: {
    ...{ prctl: 167, fcntl: 25, prlimit64: 261, capset: 91, setgroups: 159, setresgid: 149, setresuid: 147 },
    ...{ seccomp: 277, createRuleset: 444, addRule: 445, restrictSelf: 446 },
  },
} as const

type Call = keyof (typeof CALLS)['x64']
type Argument = number | bigint | Uint8Array

const [PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT] = [1, 8, 38, 47]
const PR_CAP_AMBIENT_RAISE = 2
const SECCOMP_SET_MODE_FILTER = 1
const F_SETFD = 2
const CAP_DAC_READ_SEARCH = 2
const CAPABILITIES_VERSION_3 = 0x2008_0522
const O_PATH = 0o10_000_000
const SIGKILL = 9

const EXECUTE = 1n
const WRITE_FILE = 1n << 1n
const READ_FILE = 1n << 2n
const READ_DIRECTORY = 1n << 3n
/** Removing, and making directories, files, FIFOs and links; renaming to another directory; truncating. */
const CHANGE = [4n, 5n, 7n, 8n, 10n, 12n, 13n, 14n].reduce((all, bit) => all | (1n << bit), 0n)
/** Rights to files that apply to a file itself, not only to a directory. */
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | (1n << 14n)
/** Access that Landlock covers, by its version: files, links to other directories, truncating, control of devices. */
const COVERED: readonly (readonly [since: number, bits: bigint])[] = [
  [1, (1n << 13n) - 1n],
  [2, 1n << 13n],
  [3, 1n << 14n],
  [5, 1n << 15n],
]
/** Sockets of other processes in the abstract namespace, and signals to them. */
const SCOPES = 0b11n
const SCOPES_SINCE = 6

/** How many processes and threads a host may start. */
const MOST_TASKS = 256

/** Numbers of the resources of setrlimit. */
const RESOURCES = { data: 2, fileSize: 1, core: 4, processes: 6, files: 7, lockedMemory: 8, messages: 12 } as const

/** The kernel of this machine. */
interface System {
  /** Makes a system call. Returns its result, or -1 if the kernel refuses. */
  readonly call: (name: Call, ...values: readonly Argument[]) => number
  readonly addressOf: (of: Uint8Array) => bigint
}

/** Throws if this Node cannot make system calls. */
function openSystem(arch: keyof typeof CALLS): System {
  const ffi = process.getBuiltinModule('node:ffi')
  if (!ffi) throw new Error('this Node has no node:ffi')
  const { dlopen, getRawPointer } = ffi
  const signature = { return: 'i64', arguments: ['u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u64'] } as const
  const { syscall } = dlopen(null, { syscall: signature }).functions
  return {
    call: (call, ...values) => {
      const numbers = values.map((value) => (value instanceof Uint8Array ? getRawPointer(value) : BigInt(value)))
      const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n] = numbers
      return Number(syscall(BigInt(CALLS[arch][call]), a, b, c, d, e, f))
    },
    addressOf: getRawPointer,
  }
}

const words = (...values: readonly bigint[]): BigUint64Array => new BigUint64Array(values)
const bytes = (values: BigUint64Array): Uint8Array => new Uint8Array(values.buffer)

/** The version of Landlock; 0 without it. */
const landlockVersion = (system: System): number => Math.max(0, system.call('createRuleset', 0, 0, 1))

/** Leaves only the files that the launch names; false if the kernel refuses. */
function confineFiles(system: System, version: number, { read, execute, write }: Launch['files']): boolean {
  const covered = COVERED.reduce((all, [since, bits]) => (since <= version ? all | bits : all), 0n)
  const attributes = words(covered, 0n, version >= SCOPES_SINCE ? SCOPES : 0n)
  const size = version >= SCOPES_SINCE ? 24 : version >= 4 ? 16 : 8
  const ruleset = system.call('createRuleset', bytes(attributes), size, 0)
  if (ruleset < 0) return false
  const allow = (paths: readonly string[], access: bigint) => {
    for (const path of paths) allowPath(system, ruleset, path, access & covered)
  }
  allow(read, READ_FILE | READ_DIRECTORY)
  allow(execute, READ_FILE | READ_DIRECTORY | EXECUTE)
  allow(write, READ_FILE | READ_DIRECTORY | WRITE_FILE | CHANGE)
  const isConfined = system.call('restrictSelf', ruleset, 0) === 0
  closeSync(ruleset)
  return isConfined
}

/** A path that does not exist is left out. */
function allowPath(system: System, ruleset: number, path: string, access: bigint): void {
  let descriptor: number
  try {
    descriptor = openSync(path, O_PATH)
  } catch {
    return
  }
  const allowed = fstatSync(descriptor).isDirectory() ? access : access & OF_FILES
  // struct landlock_path_beneath_attr: the rights, and the descriptor without padding.
  const rule = Buffer.alloc(12)
  rule.writeBigUInt64LE(allowed)
  rule.writeInt32LE(descriptor, 8)
  system.call('addRule', ruleset, 1, rule, 0)
  closeSync(descriptor)
}

/**
 * Gives up all privileges, except that another user than root may read what Landlock allows. In containers root may not
 * become another user: it then has no privileges either.
 */
function dropPrivileges(system: System, user: number | null, isConfined: boolean): void {
  system.call('prctl', PR_SET_KEEPCAPS, 1)
  const isOther =
    user !== null &&
    system.call('setgroups', 0, 0) === 0 &&
    system.call('setresgid', user, user, user) === 0 &&
    system.call('setresuid', user, user, user) === 0
  // Landlock limits which files can be read; without this capability, the user could not read root's files among them.
  const kept = isOther && isConfined ? 1 << CAP_DAC_READ_SEARCH : 0
  const header = new Uint32Array([CAPABILITIES_VERSION_3, 0])
  const sets = new Uint32Array([kept, kept, kept, 0, 0, 0])
  system.call('capset', new Uint8Array(header.buffer), new Uint8Array(sets.buffer))
  if (kept !== 0) system.call('prctl', PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0)
}

/** Number of processes and threads on the whole machine: an upper bound for those of any one user. */
function runningTasks(): number {
  try {
    return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function limit(system: System, name: keyof typeof RESOURCES, value: number): void {
  system.call('prlimit64', 0, RESOURCES[name], bytes(words(BigInt(value), BigInt(value))), 0)
}

/** The filter with the id of this process instead of the placeholder, since the parent did not know the id. */
function filterOf({ base64, placeholder }: Launch['filter']): Buffer {
  const filter = Buffer.from(base64, 'base64')
  for (let at = 4; at < filter.length; at += 8) {
    if (filter.readUInt32LE(at) === placeholder) filter.writeUInt32LE(process.pid, at)
  }
  return filter
}

function confineCalls(system: System, filter: Buffer): boolean {
  // struct sock_fprog: the number of instructions, padding, and their address.
  const program = Buffer.alloc(16)
  program.writeUInt16LE(filter.length / 8)
  program.writeBigUInt64LE(system.addressOf(filter), 8)
  return system.call('seccomp', SECCOMP_SET_MODE_FILTER, 0, program) === 0
}

/** Raises the walls, as far as the kernel has them. */
function raiseWalls({ architecture, filter, files, limits, user, parent, keeps }: Launch): Walls {
  const system = openSystem(architecture)
  const tasks = runningTasks()
  system.call('prctl', PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
  const version = landlockVersion(system)
  const landlock = version > 0 && confineFiles(system, version, files)
  dropPrivileges(system, user, landlock)
  for (const [resource, value] of Object.entries(limits)) limit(system, resource as keyof typeof limits, value) // its keys
  limit(system, 'core', 0)
  limit(system, 'messages', 0)
  limit(system, 'lockedMemory', 0)
  limit(system, 'processes', tasks + MOST_TASKS)
  system.call('prctl', PR_SET_PDEATHSIG, SIGKILL)
  for (const descriptor of keeps) system.call('fcntl', descriptor, F_SETFD, 0)
  // The parent may have ended before the kernel knew what to do then.
  if (process.ppid !== parent) process.exit(1)
  const seccomp = confineCalls(system, filterOf(filter))
  return { seccomp, landlock: landlock ? version : 0 }
}

function tryWalls(launch: Launch): Walls {
  try {
    return raiseWalls(launch)
  } catch (error) {
    return { seccomp: false, landlock: 0, reason: error instanceof Error ? error.message : String(error) }
  }
}

// No turn of the event loop, nor an end of Node: both make calls that the filter refuses to a loop that has begun.
const launch: Launch = JSON.parse(process.argv.at(-1) ?? '')
const walls = tryWalls(launch)
if (launch.needs === null) writeSync(1, JSON.stringify(walls))
const isSafe =
  launch.needs === null || (launch.needs.seccomp === walls.seccomp && launch.needs.landlock === walls.landlock)
if (isSafe) process.execve?.(launch.command, [launch.command, ...launch.args], process.env)
// The machine had other walls when the service started: no code of users runs without them.
process.kill(process.pid, 'SIGKILL')
