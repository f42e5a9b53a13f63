import pg from 'pg'
import { LISTENER } from './listeners.ts'

/** How often a listening connection is tested, and how long an answer may take; milliseconds. */
export interface Heartbeat {
  readonly interval: number
  readonly timeout: number
}

export const HEARTBEAT: Heartbeat = { interval: 2_000, timeout: 3_000 }

/**
 * Longest time in milliseconds that a process may serve stale data from its cache after a change on another machine, if
 * its connection dies silently right after a heartbeat: the next one is sent after the interval and fails after the
 * timeout.
 */
export const MAX_STALENESS = HEARTBEAT.interval + HEARTBEAT.timeout

interface ListeningOptions {
  readonly url: string
  readonly channel: string
  readonly heartbeat: Heartbeat
  onNotification(payload: string): void
  /** Called once, when the connection can no longer be relied on; the connection is closed. */
  onLost(): void
}

/**
 * A connection that listens on one channel. A network that silently drops packets closes no connection. So a query is
 * sent on it at intervals: the connection counts as lost as soon as one is not answered in time.
 */
export class ListeningConnection {
  readonly #client: pg.Client
  readonly #options: ListeningOptions
  /** Rejects everything that waits for an answer. */
  readonly #waiting = new Set<(error: Error) => void>()
  #timer: NodeJS.Timeout | undefined
  #isLost = false

  constructor(options: ListeningOptions) {
    this.#options = options
    this.#client = new pg.Client({
      connectionString: options.url,
      application_name: LISTENER,
      keepAlive: true,
      connectionTimeoutMillis: options.heartbeat.timeout,
    })
    this.#client.on('notification', ({ payload = '' }) => {
      if (!this.#isLost) options.onNotification(payload)
    })
    this.#client.on('error', () => undefined)
    this.#client.on('end', () => this.#lose())
  }

  /** Resolves when the server has confirmed the LISTEN; the heartbeat then starts. */
  async open(): Promise<void> {
    try {
      await this.#client.connect()
      await this.within(this.#client.query(`listen ${this.#options.channel}`))
      this.#scheduleHeartbeat()
    } catch {
      this.#lose()
    }
  }

  /** Closes the connection without calling `onLost`. */
  async close(): Promise<void> {
    this.#isLost = true
    clearTimeout(this.#timer)
    for (const reject of this.#waiting) reject(new Error('The connection is closed'))
    await this.#client.end().catch(() => undefined)
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** The result of `work`; throws if it takes longer than a heartbeat may, or if the connection is lost. */
  async within<T>(work: Promise<T>): Promise<T> {
    const { promise: failed, reject } = Promise.withResolvers<never>()
    this.#waiting.add(reject)
    const timer = setTimeout(() => {
      // A busy process may not have read the answer yet: the event loop reads once more before the check phase.
      setImmediate(() => reject(new Error('The server did not respond in time')))
    }, this.#options.heartbeat.timeout)
    try {
      return await Promise.race([work, failed])
    } finally {
      this.#waiting.delete(reject)
      clearTimeout(timer)
    }
  }

  #scheduleHeartbeat(): void {
    if (this.#isLost) return
    this.#timer = setTimeout(() => void this.#beat(), this.#options.heartbeat.interval).unref()
  }

  async #beat(): Promise<void> {
    try {
      await this.within(this.#client.query('select 1'))
      this.#scheduleHeartbeat()
    } catch {
      this.#lose()
    }
  }

  #lose(): void {
    if (this.#isLost) return
    void this.close()
    this.#options.onLost()
  }
}
