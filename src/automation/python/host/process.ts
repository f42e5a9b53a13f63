import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type JsonObject } from '../../../schema/json.ts'
import {
  behindWalls,
  DEVICES,
  type Files,
  type HostPlan,
  LIBRARIES,
  LOADER_FILES,
  LOADERS,
  type Walls,
} from '../../confinement/walls.ts'
import { type Limits, withinLimits } from './limits.ts'
import { processorTime } from './processor-time.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../../..')
const node = realpathSync(process.execPath)
const pyodide = dirname(fileURLToPath(import.meta.resolve('pyodide')))

/** What the host in WebAssembly reads, of this program and of its libraries. */
const OWN_FILES = [dirname(here), join(root, 'vendor'), pyodide, join(root, 'package.json')]

/** Node's own permissions, behind those of the kernel: to read these files; no network, no writing, no other processes. */
const PERMISSIONS = [
  '--permission',
  ...OWN_FILES.map((path) => `--allow-fs-read=${path.endsWith('.json') ? path : `${path}/*`}`),
  '--disallow-code-generation-from-strings',
  '--no-warnings',
]

/** Result of a question of a template or script. Throws with a text for its author. */
export type Answerer = (question: JsonObject) => Promise<unknown>

/** Options of a process's start. */
export interface StartOptions {
  /** What the process does. */
  readonly program: 'templates' | 'scripts'
  /** JSON text without line breaks: what the program knows of the service, such as its models. */
  readonly facts: string
  /** Megabytes that the work may use. */
  readonly memory: number
  /** What the kernel of this machine confines the process by. */
  readonly walls: Walls
  /** An ordinary Python with its arguments and environment, instead of the one in WebAssembly. */
  readonly python?: OrdinaryPython
  /** Open file of a snapshot of the interpreter, and whether the process starts from it or writes it. */
  readonly snapshot?: { readonly use: 'load' | 'save'; readonly fd: number }
  /** As in `os.setPriority`; the default is the priority of this process. */
  readonly priority?: number
}

/** An interpreter of the operating system. */
export interface OrdinaryPython {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Directory in which it runs. */
  readonly cwd: string
  readonly files: Files
}

type Child = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable }

/** A process with a Python interpreter, which does one job at a time. It ends with this one, or when it is killed. */
export class PythonProcess {
  readonly #child: Child
  readonly #lines: AsyncIterator<string>
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
  readonly #isGroup: boolean
  #isBroken = false

  constructor(options: StartOptions) {
    const { facts, walls, snapshot, priority, python } = options
    const { command, args } = behindWalls(walls, python ? planOf(python) : sandboxPlan(options))
    this.#child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'ignore', snapshot?.fd ?? 'ignore'],
      // Without the service's configuration, which contains secrets.
      env: python?.env ?? {},
      // In a group of its own, which its programs cannot leave: they end with it.
      ...(python && { cwd: python.cwd, detached: true }),
    }) as Child // The streams exist because `stdio` requests them.
    this.#isGroup = python !== undefined
    if (priority !== undefined) lowerPriority(this.#child.pid, priority)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    const end = () => {
      this.#isBroken = true
      resolve()
    }
    this.#child.on('exit', end)
    // The process did not start at all.
    this.#child.on('error', end)
    // After its end, writing fails; the reader notices the end.
    this.#child.stdin.on('error', () => undefined)
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.#child.stdin.write(`${facts}\n`)
  }

  /** Its id in the operating system; undefined if it did not start. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** True if the process can take another job. */
  get isUsable(): boolean {
    return !this.#isBroken
  }

  /**
   * Resolves when its interpreter has started, with whether a snapshot was saved; to be called once, before the first
   * job. Throws `LimitExceeded`, the reason of `signal`, or an Error if the process ends; the process has then been
   * killed.
   */
  async ready(limits: Limits, signal?: AbortSignal): Promise<{ readonly isSaved: boolean }> {
    const { isSaved } = await this.#supervised(() => this.#next(), limits, signal)
    return { isSaved: isSaved === true }
  }

  /** Runs one job to its result. Throws as `ready` does, and cannot be used afterwards. */
  async run(job: JsonObject, answer: Answerer, limits: Limits, signal?: AbortSignal): Promise<JsonObject> {
    const result = await this.#supervised(() => this.#converse(job, answer), limits, signal)
    if (result.isSpent === true) this.kill()
    return result
  }

  kill(): void {
    this.#isBroken = true
    const { pid } = this.#child
    if (!this.#isGroup || pid === undefined) return void this.#child.kill('SIGKILL')
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The whole group has ended.
    }
  }

  /** Sets whether this program keeps running while the process does. */
  hold(isHeld: boolean): void {
    const streams: readonly unknown[] = [this.#child, this.#child.stdin, this.#child.stdout]
    for (const stream of streams) {
      // Pipes have these methods too, although their type does not say so.
      const { ref, unref } = stream as { ref?: () => void; unref?: () => void }
      ;(isHeld ? ref : unref)?.call(stream)
    }
  }

  /** Runs `work` within its limits, and kills the process when it fails. */
  async #supervised<T>(work: () => Promise<T>, limits: Limits, signal: AbortSignal | undefined): Promise<T> {
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort)
    const { pid } = this.#child
    const used = () => (pid === undefined ? undefined : processorTime(pid))
    try {
      signal?.throwIfAborted()
      return await withinLimits(Promise.race([work(), aborted]), limits, used)
    } catch (error) {
      this.kill()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  async #converse(job: JsonObject, answer: Answerer): Promise<JsonObject> {
    this.#child.stdin.write(`${JSON.stringify(job)}\n`)
    for (;;) {
      const message = await this.#next()
      if (!('ask' in message)) return message
      const reply = await answer(message).then(
        (value) => ({ value: value ?? null }),
        (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
      )
      this.#child.stdin.write(`${JSON.stringify(reply)}\n`)
    }
  }

  async #next(): Promise<JsonObject> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('The process of Python ended')
    const message: unknown = JSON.parse(value)
    if (!isJsonObject(message)) {
      throw new Error('The process of Python sent something other than a JSON object')
    }
    return message
  }
}

/** How Python in WebAssembly is started. */
export function sandboxPlan({
  program,
  memory,
  snapshot,
}: Pick<StartOptions, 'program' | 'memory' | 'snapshot'>): HostPlan {
  const sandbox = `${here}/sandbox${extname(import.meta.filename)}`
  return {
    kind: 'webAssembly',
    command: node,
    args: [...PERMISSIONS, sandbox, snapshot?.use ?? 'none', program, String(memory)],
    files: {
      read: [...LIBRARIES, ...LOADER_FILES, ...DEVICES, ...OWN_FILES],
      execute: [node, ...LOADERS],
      write: [],
    },
    limits: {
      data: (memory + OWN_MEMORY) * 2 ** 20,
      files: 128,
      fileSize: snapshot?.use === 'save' ? LARGEST_SNAPSHOT : 0,
    },
    keeps: snapshot ? [SNAPSHOT] : [],
  }
}

const planOf = ({ command, args, files }: OrdinaryPython): HostPlan => ({
  ...{ kind: 'program', command, args, files },
  limits: {},
  keeps: [],
})

/** Megabytes of Node itself and its heap. */
const OWN_MEMORY = 1_024
/** File descriptor of the snapshot in the process. */
const SNAPSHOT = 3
/** Bytes of a snapshot, at most. */
const LARGEST_SNAPSHOT = 2 ** 30

function lowerPriority(pid: number | undefined, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // The process has already ended, or the system does not allow it. Either way, the process works at any priority.
  }
}
