import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Sql, sql } from '../sql/fragment.ts'
import type { ChangeListener } from './database.ts'

const CHANNEL = 'cadastre_changes'
/** Name under which the server lists the connection on which a running service hears of changes. */
export const LISTENER = 'cadastre changes'
/** Milliseconds between attempts to listen again. */
const PAUSE = 1_000

/**
 * What the processes on one PostgreSQL database tell each other: names of changed models, by NOTIFY
 * within the transaction that changes them, so that nothing is told of what rolls back. A process hears
 * on a connection of its own; while that is down its listener is suspended.
 */
export class ChangeNotices {
  readonly #url: string
  /** Tells own notices from those of others. */
  readonly #sender = randomUUID()
  #client: pg.Client | undefined
  #listener: ChangeListener | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Statement that tells the other processes, at commit. */
  readonly announcement = (models: readonly string[]): Sql =>
    sql`select pg_notify(${CHANNEL}, ${[this.#sender, ...models].join(' ')})`

  async subscribe(listener: ChangeListener): Promise<void> {
    this.#listener = listener
    listener.suspend()
    await this.#connect()
  }

  async close(): Promise<void> {
    this.#listener = undefined
    clearTimeout(this.#retry)
    await this.#client?.end()
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: LISTENER,
      keepAlive: true,
    })
    client.on('notification', ({ payload = '' }) => this.#hear(payload))
    client.on('error', () => undefined)
    client.on('end', () => this.#lose(client))
    this.#client = client
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      this.#listener?.resume()
    } catch {
      this.#lose(client)
    }
  }

  #hear(payload: string): void {
    const [sender, ...models] = payload.split(' ')
    if (sender !== this.#sender) this.#listener?.forget(models)
  }

  #lose(client: pg.Client): void {
    if (this.#listener === undefined || this.#client !== client) return
    this.#client = undefined
    this.#listener.suspend()
    this.#retry = setTimeout(() => void this.#connect(), PAUSE).unref()
  }
}
