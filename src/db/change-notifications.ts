import { randomUUID } from 'node:crypto'
import { volatile } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { ChangeListener } from './database.ts'
import { HEARTBEAT, type Heartbeat, ListeningConnection } from './listening-connection.ts'
import type { PrimaryFinder } from './primary-finder.ts'
import type { Announce } from './transaction.ts'

const CHANNEL = 'cadastre_changes'
/** Milliseconds between attempts to listen again. */
const RETRY_DELAY = 1_000

interface ChangeNotificationsOptions {
  /** Finds the server that sends notifications, through a URL without a pooler. */
  readonly finder: Pick<PrimaryFinder, 'current'>
  /** Called when its connection is lost: the server may hang without ending the others. */
  readonly onLost: () => void
  /** The pool, through which the delivery of notifications is tested. */
  readonly pool: Pick<Queryable, 'execute'>
  readonly warn: (sentence: string) => void
  readonly heartbeat?: Heartbeat | undefined
  readonly retryDelay?: number | undefined
}

/**
 * Messages between the processes on one PostgreSQL database about changes, sent by NOTIFY within the changing
 * transaction, so that a rollback sends nothing. Each process listens on its own connection; while that is down, its
 * listener is suspended.
 *
 * A payload is `<origin> <change> <change> …`, each change in the format of `encodeChanges`, the origin being
 * `<process>:<number of its transaction>`.
 */
export class ChangeNotifications {
  readonly #options: ChangeNotificationsOptions
  readonly #process = randomUUID()
  #nextNumber = 0
  /** Origins of this process's transactions that are being committed and whose notifications have not arrived yet. */
  readonly #committing = new Set<string>()
  /**
   * Origins of those whose commit has been confirmed since: the listener is already up to date. All other notifications
   * are passed on: a commit whose confirmation was lost takes effect at an unknown time, and only its notification
   * tells when.
   */
  readonly #confirmed = new Set<string>()
  #connection: ListeningConnection | undefined
  #listener: ChangeListener | undefined
  #retry: NodeJS.Timeout | undefined
  /** The payload that must arrive before the listener is resumed. */
  #expected: { readonly payload: string; readonly arrive: () => void } | undefined
  #isListening = false
  /** The last warning since the connection last worked. */
  #warning: string | undefined

  constructor(options: ChangeNotificationsOptions) {
    this.#options = options
  }

  /** The notification of one transaction. */
  readonly announce: Announce = (changes) => {
    const origin = `${this.#process}:${this.#nextNumber++}`
    this.#committing.add(origin)
    return {
      statement: notify([origin, ...changes].join(' ')),
      end: (isCommitted) => {
        const isExpected = this.#committing.delete(origin) && this.#isListening
        if (isCommitted && isExpected) this.#confirmed.add(origin)
      },
    }
  }

  /** Resolves when changes are passed on, or when a first attempt to listen has failed; further attempts follow. */
  async subscribe(listener: ChangeListener): Promise<void> {
    this.#listener = listener
    listener.suspend()
    await this.#connect()
  }

  /** Starts listening again, on the server that is in use now; the former one may still be running. */
  readonly restart = (): void => {
    if (!this.#isListening) return
    void this.#connection?.close()
    this.#options.onLost()
    this.#lose()
  }

  async close(): Promise<void> {
    this.#listener = undefined
    clearTimeout(this.#retry)
    await this.#connection?.close()
  }

  async #connect(): Promise<void> {
    const server = await this.#options.finder.current().catch(() => undefined)
    if (this.#listener === undefined) return
    // A standby sends no notifications.
    if (!server || server.isReadOnly) {
      if (!server) this.#warnOnce(LOST)
      this.#lose()
      return
    }
    const connection = new ListeningConnection({
      url: server.url,
      channel: CHANNEL,
      heartbeat: this.#options.heartbeat ?? HEARTBEAT,
      onNotification: (payload) => this.#receive(payload),
      onLost: () => {
        this.#warnOnce(LOST)
        this.#options.onLost()
        this.#lose()
      },
    })
    this.#connection = connection
    await connection.open()
    if (connection.isLost || !(await this.#isDelivered(connection)) || connection.isLost) return
    this.#isListening = true
    this.#warning = undefined
    this.#listener?.resume()
  }

  /**
   * Whether a notification that is sent on another connection arrives on this one. A connection pooler in transaction
   * mode accepts LISTEN and then delivers nothing.
   */
  async #isDelivered(connection: ListeningConnection): Promise<boolean> {
    const payload = `${this.#process}:delivery-test`
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    this.#expected = { payload, arrive }
    let isSent = false
    try {
      await connection.within(this.#options.pool.execute(notify(payload)))
      isSent = true
      await connection.within(arrived)
      return true
    } catch {
      if (isSent && !connection.isLost) this.#warnOnce(NOT_DELIVERED)
      await this.#giveUp(connection)
      return false
    }
  }

  #warnOnce(sentence: string): void {
    if (this.#listener && this.#warning !== sentence) this.#options.warn(sentence)
    this.#warning = sentence
  }

  async #giveUp(connection: ListeningConnection): Promise<void> {
    if (connection.isLost) return
    await connection.close()
    this.#lose()
  }

  #receive(payload: string): void {
    if (payload === this.#expected?.payload) this.#expected.arrive()
    const [origin = '', ...changes] = payload.split(' ')
    this.#committing.delete(origin)
    if (changes.length > 0 && !this.#confirmed.delete(origin)) this.#listener?.invalidate(changes)
  }

  #lose(): void {
    if (this.#listener === undefined) return
    this.#isListening = false
    this.#confirmed.clear()
    this.#listener.suspend()
    const delay = this.#options.retryDelay ?? RETRY_DELAY
    this.#retry = setTimeout(() => void this.#connect(), delay).unref()
  }
}

const notify = (payload: string) => volatile`select pg_notify(${CHANNEL}, ${payload})`

const LOST = 'The connection that receives notifications of PostgreSQL is lost: nothing is cached until it is back.'

const NOT_DELIVERED =
  'Notifications of PostgreSQL do not arrive, so nothing is cached: DATABASE_URL points to a connection pooler in transaction mode, so DATABASE_SESSION_URL must name the server itself.'
