import { ApiError } from '../../../base/errors.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { LimitExceeded, type Limits } from './limits.ts'
import type { Answerer, PythonProcess } from './process.ts'
import type { ProcessStarter } from './start-process.ts'

/** Maximum milliseconds for one rendering. */
const RENDERING: Limits = { processor: 30_000, clock: 120_000 }
/** Maximum milliseconds that a rendering may wait for a process. */
export const LONGEST_WAIT = 60_000
/** Maximum number of waiting renderings; more are refused. */
export const MOST_WAITING = 100
/** Maximum number of processes; each takes some 120 MB. */
const MOST_PROCESSES = 2
/** Milliseconds after which an idle process ends, except the one that is always ready. */
export const IDLE = 5 * 60_000
/** Weight of the latest rendering in the average duration. */
const WEIGHT = 0.2

/** The part of a process's interface that the pool uses. */
export type PooledProcess = Pick<PythonProcess, 'isUsable' | 'ended' | 'run' | 'kill' | 'hold'>

/** Starts such processes. */
interface PoolStarter extends Pick<ProcessStarter, 'prepare'> {
  start(signal: AbortSignal): Promise<PooledProcess>
}

interface Waiter {
  readonly take: (process: PooledProcess) => void
  readonly fail: (error: unknown) => void
}

/** Processes that render templates, and the renderings that wait for one. */
export class ProcessPool {
  readonly #starter: PoolStarter
  /** Idle processes, with the timers that will end them. */
  readonly #idle = new Map<PooledProcess, NodeJS.Timeout>()
  readonly #waiting = new Set<Waiter>()
  readonly #closing = new AbortController()
  readonly #busy = new Set<PooledProcess>()
  #isStarting = false
  #isPreparing = false
  #isKeptWarm = false
  #isRetired = false
  /** Moving average of a rendering's duration, in milliseconds. */
  #average = 0

  constructor(starter: PoolStarter) {
    this.#starter = starter
  }

  /**
   * The result of one job. Throws `unavailable` when no process becomes free in time, or is not expected to; the reason
   * of `signal` when the client has disconnected; `LimitExceeded` when the job takes too long.
   */
  async run(job: JsonObject, answer: Answerer, signal?: AbortSignal): Promise<JsonObject> {
    const process = await this.#acquire(signal)
    const began = performance.now()
    process.hold(true)
    try {
      return await process.run(job, answer, RENDERING, signal)
    } finally {
      this.#average += WEIGHT * (performance.now() - began - this.#average)
      this.#busy.delete(process)
      this.#release(process)
    }
  }

  /** True if a process is running, so that a job waits only for other jobs. */
  get isRunning(): boolean {
    return this.#idle.size + this.#busy.size > 0
  }

  /** Sets whether one process is always ready, so that no rendering waits for an interpreter to start. */
  keepWarm(isKeptWarm: boolean): void {
    this.#isKeptWarm = isKeptWarm
    this.#assign()
  }

  /** From now on, no process waits for another rendering. */
  retire(): void {
    this.#isRetired = true
    this.keepWarm(false)
  }

  /** Ends all processes; renderings that wait are refused. */
  close(): void {
    this.#isKeptWarm = false
    this.#closing.abort(unavailable('The service is stopping.'))
    for (const { fail } of this.#waiting) fail(this.#closing.signal.reason)
    for (const process of this.#busy) process.kill()
    for (const process of this.#idle.keys()) process.kill()
  }

  async #acquire(signal: AbortSignal | undefined): Promise<PooledProcess> {
    signal?.throwIfAborted()
    this.#closing.signal.throwIfAborted()
    const expected = (this.#waiting.size * this.#average) / MOST_PROCESSES
    if (this.#waiting.size >= MOST_WAITING || expected > LONGEST_WAIT) throw tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<PooledProcess>()
    const waiter: Waiter = {
      take: (process) => {
        this.#waiting.delete(waiter)
        resolve(process)
      },
      fail: (error) => {
        this.#waiting.delete(waiter)
        reject(error)
      },
    }
    const abort = () => waiter.fail(signal?.reason)
    const timer = setTimeout(() => waiter.fail(tooMany()), LONGEST_WAIT)
    signal?.addEventListener('abort', abort)
    this.#waiting.add(waiter)
    this.#assign()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Assigns free processes to waiting renderings, and starts another process if necessary. */
  #assign(): void {
    for (const waiter of this.#waiting) {
      const process = this.#takeIdle()
      if (!process) break
      this.#busy.add(process)
      waiter.take(process)
    }
    if (this.#isRetired) for (const process of this.#idle.keys()) process.kill()
    if (this.#closing.signal.aborted) return
    // One start at a time: two at once would each take twice as long.
    if (this.#isStarting) return
    const running = this.#idle.size + this.#busy.size
    if (this.#waiting.size > 0 && running < MOST_PROCESSES) void this.#start()
    else if (this.#isKeptWarm && !this.isRunning && !this.#isPreparing) void this.#prepareAndStart()
  }

  #takeIdle(): PooledProcess | undefined {
    for (const process of this.#idle.keys()) {
      this.#removeIdle(process)
      if (process.isUsable) return process
    }
    return undefined
  }

  /** Starts a process; the start continues even if no rendering waits for it any more. */
  async #start(): Promise<void> {
    this.#isStarting = true
    try {
      this.#add(await this.#starter.start(this.#closing.signal))
    } catch (error) {
      this.#giveUp(error)
    } finally {
      this.#isStarting = false
      this.#assign()
    }
  }

  /** For the process that is always ready. A new rendering does not wait for the preparation. */
  async #prepareAndStart(): Promise<void> {
    this.#isPreparing = true
    try {
      await this.#starter.prepare(this.#closing.signal)
      if (!this.#isStarting && !this.isRunning) await this.#start()
    } catch (error) {
      this.#giveUp(error)
    } finally {
      this.#isPreparing = false
    }
  }

  /** The interpreter does not start: the next rendering tries again and reports the error. */
  #giveUp(error: unknown): void {
    this.#isKeptWarm = false
    const reason = error instanceof LimitExceeded ? tooMany() : error
    for (const { fail } of this.#waiting) fail(reason)
  }

  #add(process: PooledProcess): void {
    void process.ended.then(() => {
      this.#removeIdle(process)
      this.#assign()
    })
    this.#putIdle(process)
  }

  /** Returns the process to the pool. */
  #release(process: PooledProcess): void {
    if (process.isUsable) this.#putIdle(process)
    this.#assign()
  }

  #putIdle(process: PooledProcess): void {
    process.hold(false)
    if (this.#closing.signal.aborted) process.kill()
    else this.#idle.set(process, setTimeout(() => this.#endIdle(process), IDLE).unref())
  }

  #removeIdle(process: PooledProcess): void {
    clearTimeout(this.#idle.get(process))
    this.#idle.delete(process)
  }

  #endIdle(process: PooledProcess): void {
    const isLast = this.#idle.size + this.#busy.size === 1
    if (this.#isKeptWarm && isLast) this.#putIdle(process)
    else process.kill()
  }
}

const unavailable = (detail: string) => new ApiError({ kind: 'unavailable', detail })
const tooMany = () => unavailable('Too many templates are being rendered. Please try again later.')
