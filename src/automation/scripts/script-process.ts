import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../../config/settings.ts'
import type { InProcessResponse } from '../jobs/in-process-request.ts'
import type { FromRunner, ToRunner } from './messages.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')
const runner = `${here}/runner${extname(import.meta.filename)}`

/** Permissions and limits of the processes of scripts. */
export interface ScriptRights
  extends Pick<Settings, 'scriptsMemory' | 'scriptsAllowNetwork' | 'scriptsAllowRead' | 'scriptsAllowWrite'> {
  /** Absolute path of the directory of scripts. */
  readonly scriptsRoot: string
}

/** An order without the values that the settings determine. */
type Order =
  | { readonly kind: 'describe'; readonly file: string }
  | Omit<Extract<ToRunner, { kind: 'run' }>, 'allowsNetwork'>

/** The messages of a running script, up to and including the last one. */
export type ScriptEvents = Extract<FromRunner, { kind: 'request' | 'log' }>
type ScriptEnd = Exclude<FromRunner, ScriptEvents>

type EventHandler = (event: ScriptEvents) => Promise<InProcessResponse | undefined>

const permissions = (rights: ScriptRights): readonly string[] => [
  '--permission',
  ...[`${here}/*`, `${root}/package.json`, `${rights.scriptsRoot}/*`, ...rights.scriptsAllowRead].map(
    (path) => `--allow-fs-read=${path}`,
  ),
  ...rights.scriptsAllowWrite.map((path) => `--allow-fs-write=${path}`),
  `--max-old-space-size=${rights.scriptsMemory}`,
  '--no-warnings',
]

/**
 * Megabytes that a process needs besides the script's own memory: Node's program and libraries, and the young objects
 * of V8's heap.
 */
const NODE_MEMORY = 160
/** Milliseconds between checks of the memory of a process. Meanwhile a script can allocate some 100 MB. */
const MEMORY_INTERVAL = 50

/**
 * Memory of a process in megabytes, including what V8 does not count as heap, such as buffers. Undefined on systems
 * without /proc.
 */
function residentMemory(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/**
 * Runs an order in a separate process, up to its last message. `handle` receives the requests of the script, one at a
 * time, and its log entries. The process is killed when the signal is aborted, whose reason is then thrown. Throws an
 * Error if the process ends early.
 */
export async function runInProcess(
  rights: ScriptRights,
  order: Order,
  handle: EventHandler,
  signal: AbortSignal,
): Promise<ScriptEnd> {
  signal.throwIfAborted()
  const child = fork(runner, [], {
    execArgv: [...permissions(rights)],
    // Without the service's configuration, which contains secrets.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<ScriptEnd>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  child.on('error', reject)
  child.on('exit', (code, by) => reject(new Error(endText(code, by, rights.scriptsMemory))))
  const watch = setInterval(() => {
    const used = residentMemory(child.pid)
    if (used === undefined || used <= rights.scriptsMemory + NODE_MEMORY) return
    reject(new Error(tooMuchMemory(rights.scriptsMemory)))
  }, MEMORY_INTERVAL)
  // Savepoints cannot overlap, so requests of a script are handled one after the other.
  let last = Promise.resolve()
  child.on('message', (message: FromRunner) => {
    last = last.then(() => receive(child, message, handle, resolve)).catch(reject)
  })
  const sent: ToRunner = { ...order, allowsNetwork: rights.scriptsAllowNetwork }
  child.send(sent, (error) => error && reject(error))
  try {
    return await promise
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', stop)
    child.removeAllListeners('message')
    child.kill('SIGKILL')
    // A request that is being handled still uses the script's transaction.
    await last
  }
}

async function receive(
  child: ChildProcess,
  message: FromRunner,
  handle: EventHandler,
  finish: (end: ScriptEnd) => void,
): Promise<void> {
  if (message.kind !== 'request' && message.kind !== 'log') return finish(message)
  const response = await handle(message)
  if (message.kind !== 'request' || !response || !child.connected) return
  const reply: ToRunner = { kind: 'response', id: message.id, ...response }
  child.send(reply, () => undefined)
}

const tooMuchMemory = (memory: number): string => `The script needed more than ${memory} MB of memory.`

/** 134: V8 has run out of memory and aborted. */
const endText = (code: number | null, by: string | null, memory: number): string =>
  code === 134 || by === 'SIGABRT'
    ? tooMuchMemory(memory)
    : `The process of the script has ended early (${by ?? code}).`
