import { stateOfService } from '../../service.ts'

/** How long `waitBeyond` waits. */
export interface Wait {
  readonly milliseconds: number
  /** Ends the wait when it is aborted. */
  readonly signal: AbortSignal
}

/** The end of the stream of events as this process knows it, for readers that wait for more. */
export class EventStream {
  #position = 0
  #isClosed = false
  #waiting = 0
  readonly #watchers = new Set<() => void>()
  readonly #waitingWatchers: (() => void)[] = []

  /** Position of the last numbered event. */
  get position(): number {
    return this.#position
  }

  /** Number of clients that wait for events. */
  get waiting(): number {
    return this.#waiting
  }

  /** True when the service is stopping: readers end their responses. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Reports that events up to this position can be read. */
  advance(position: number): void {
    if (position <= this.#position) return
    this.#position = position
    this.#notify()
  }

  /**
   * Calls `notify` whenever more events can be read, and when the stream is closed. Returns a function that cancels
   * this.
   */
  watch(notify: () => void): () => void {
    this.#watchers.add(notify)
    return () => void this.#watchers.delete(notify)
  }

  /** Calls `notify` whenever a client starts to wait. */
  watchWaiting(notify: () => void): void {
    this.#waitingWatchers.push(notify)
  }

  /** Resolves when there are events after the position, when the time is over, or when the stream is closed. */
  async waitBeyond(position: number, { milliseconds, signal }: Wait): Promise<void> {
    const isOver = () => this.#isClosed || signal.aborted || this.#position > position
    if (isOver()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const check = () => {
      if (isOver()) resolve()
    }
    const unwatch = this.watch(check)
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', check)
    this.#waiting += 1
    for (const notify of this.#waitingWatchers) notify()
    await promise
    this.#waiting -= 1
    signal.removeEventListener('abort', check)
    clearTimeout(timer)
    unwatch()
  }

  /** Ends all waiting, now and later. */
  close(): void {
    this.#isClosed = true
    this.#notify()
  }

  #notify(): void {
    for (const notify of [...this.#watchers]) notify()
  }
}

/** The stream of the service in this process. */
export const eventStreamOf = stateOfService(() => new EventStream())
