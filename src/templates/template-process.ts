import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type JsonObject } from '../schema/json.ts'

/** Milliseconds. Python is slow to start, above all while much else happens. */
const LONGEST_START = 60_000

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const pyodide = dirname(fileURLToPath(import.meta.resolve('pyodide')))

/** All that the process may do: read these files. No network module of its own, no writing, no children. */
const PERMISSIONS = [
  '--permission',
  ...[`${here}/*`, `${root}/vendor/*`, `${pyodide}/*`, `${root}/package.json`].map(
    (path) => `--allow-fs-read=${path}`,
  ),
  '--no-warnings',
]

/** Answers a question of the template. Throws with a text for the template's author. */
export type Answerer = (question: JsonObject) => Promise<unknown>

/** A process that renders templates, one after the other. It ends with this one, or when it is killed. */
export class TemplateProcess {
  readonly #child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable }
  readonly #lines: AsyncIterator<string>
  readonly #ready: Promise<JsonObject>
  #isBroken = false

  /** `models` is the JSON text of what templates know of the models. */
  constructor(models: string) {
    // The three streams exist as asked for.
    this.#child = spawn(process.execPath, [...PERMISSIONS, `${here}/sandbox.ts`], {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Nothing of the service's configuration, where its secrets are.
      env: {},
    }) as ChildProcess & { readonly stdin: Writable; readonly stdout: Readable }
    this.#child.on('exit', () => {
      this.#isBroken = true
    })
    // Written to after its end: the reader notices that nothing comes any more.
    this.#child.stdin.on('error', () => undefined)
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.#child.stdin.write(`${models}\n`)
    this.#ready = this.#within(LONGEST_START, this.#next())
    this.#ready.catch(() => undefined)
  }

  /** It can take another job. */
  get isUsable(): boolean {
    return !this.#isBroken
  }

  /**
   * Runs one job to its result. Throws `TemplateTimeout` when it takes longer than so many milliseconds, and
   * an Error when the process ends; it is of no use afterwards.
   */
  async run(job: JsonObject, answer: Answerer, longest: number): Promise<JsonObject> {
    await this.#ready
    const result = await this.#within(longest, this.#converse(job, answer))
    if (result.isSpent === true) this.kill()
    return result
  }

  kill(): void {
    this.#isBroken = true
    this.#child.kill('SIGKILL')
  }

  /** Resolves when it is gone. */
  async ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, 'exit')
    }
  }

  /** Whether this process stays alive for the sake of the other one. */
  hold(isHeld: boolean): void {
    const streams: readonly unknown[] = [this.#child, this.#child.stdin, this.#child.stdout]
    for (const each of streams) {
      // Pipes can do it too, although their type does not say so.
      const { ref, unref } = each as { ref?: () => void; unref?: () => void }
      ;(isHeld ? ref : unref)?.call(each)
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
    if (done) throw new Error('The process that renders templates ended')
    const message: unknown = JSON.parse(value)
    if (!isJsonObject(message)) throw new Error('The process that renders templates is confused')
    return message
  }

  async #within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.kill()
      reject(new TemplateTimeout(milliseconds))
    }, milliseconds)
    try {
      return await Promise.race([work, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

export class TemplateTimeout extends Error {
  override readonly name = 'TimeoutError'

  constructor(milliseconds: number) {
    super(`the template took longer than ${milliseconds / 1000} seconds`)
  }
}
