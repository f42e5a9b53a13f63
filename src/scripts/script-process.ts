import { type ChildProcess, fork } from 'node:child_process'
import { dirname, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../config/settings.ts'
import type { InProcessResponse } from '../jobs/in-process-request.ts'
import type { FromRunner, ToRunner } from './messages.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const runner = `${here}/runner${extname(import.meta.filename)}`

/** Permissions and limits of the processes of scripts. */
export interface ScriptRights
  extends Pick<
    Settings,
    'scriptsMemory' | 'scriptsAllowNetwork' | 'scriptsAllowRead' | 'scriptsAllowWrite'
  > {
  /** Absolute path of the directory of scripts. */
  readonly scriptsRoot: string
}

/** An order without what the settings decide. */
type Order =
  | { readonly kind: 'describe'; readonly file: string }
  | Omit<Extract<ToRunner, { kind: 'run' }>, 'allowsNetwork'>

/** The messages of a script while it runs, until its last one. */
export type ScriptEvents = Extract<FromRunner, { kind: 'request' | 'log' }>
export type ScriptEnd = Exclude<FromRunner, ScriptEvents>

type Answer = (event: ScriptEvents) => Promise<InProcessResponse | undefined>

const permissions = (rights: ScriptRights): readonly string[] => [
  '--permission',
  ...[
    `${here}/*`,
    `${root}/package.json`,
    `${rights.scriptsRoot}/*`,
    ...rights.scriptsAllowRead,
  ].map((path) => `--allow-fs-read=${path}`),
  ...rights.scriptsAllowWrite.map((path) => `--allow-fs-write=${path}`),
  `--max-old-space-size=${rights.scriptsMemory}`,
  '--no-warnings',
]

/**
 * Runs an order in a process of its own, to its last message. `answer` gets the requests of the script, one after the other, and its log
 * entries. The process is killed when the signal is aborted, whose reason is then thrown. Throws an Error where the process ends early.
 */
export async function runInProcess(
  rights: ScriptRights,
  order: Order,
  answer: Answer,
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
  // Savepoints cannot overlap, so requests of a script are handled one after the other.
  let last = Promise.resolve()
  child.on('message', (message: FromRunner) => {
    last = last.then(() => receive(child, message, answer, resolve)).catch(reject)
  })
  const sent: ToRunner = { ...order, allowsNetwork: rights.scriptsAllowNetwork }
  child.send(sent, (error) => error && reject(error))
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
    child.removeAllListeners('message')
    child.kill('SIGKILL')
    // A request that is being answered still works with the transaction of the script.
    await last
  }
}

async function receive(
  child: ChildProcess,
  message: FromRunner,
  answer: Answer,
  finish: (end: ScriptEnd) => void,
): Promise<void> {
  if (message.kind !== 'request' && message.kind !== 'log') return finish(message)
  const response = await answer(message)
  if (message.kind !== 'request' || !response || !child.connected) return
  const reply: ToRunner = { kind: 'response', id: message.id, ...response }
  child.send(reply, () => undefined)
}

/** 134: V8 has run out of memory and aborted. */
const endText = (code: number | null, by: string | null, memory: number): string =>
  code === 134 || by === 'SIGABRT'
    ? `The script needed more than ${memory} MB of memory.`
    : `The process of the script has ended early (${by ?? code}).`
