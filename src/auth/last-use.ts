import { sql } from '../sql/fragment.ts'
import { updateTable } from '../sql/table.ts'
import type { Database } from '../storage/database.ts'

const INTERVAL = 60_000

/**
 * Keeps `last_used` of tokens, at most once a minute for each, without making the request wait. Writes
 * nothing where `isFrozen` (maintenance mode).
 */
export class LastUse {
  readonly #database: Database
  readonly #isFrozen: boolean
  /** When each token was last noted, in milliseconds since 1970. */
  readonly #noted = new Map<number, number>()
  readonly #pending = new Set<Promise<void>>()

  constructor(database: Database, isFrozen: boolean) {
    this.#database = database
    this.#isFrozen = isFrozen
  }

  /** What the database says, when a token is loaded. */
  remember(tokenId: number, lastUsed: number | undefined): void {
    if (lastUsed === undefined) this.#noted.delete(tokenId)
    else this.#noted.set(tokenId, lastUsed)
  }

  /** The token is being used. */
  note(tokenId: number): void {
    const now = Date.now()
    if (
      this.#isFrozen ||
      now - (this.#noted.get(tokenId) ?? Number.NEGATIVE_INFINITY) <= INTERVAL
    ) {
      return
    }
    this.#noted.set(tokenId, now)
    const write = this.#database
      .execute(
        sql`${updateTable('users.token')} set last_used = ${new Date(now)}::timestamptz where id = ${tokenId}::bigint`,
      )
      // The request itself will say so when the database is gone; the next use writes again.
      .catch(() => this.#noted.delete(tokenId))
      .then(() => {
        this.#pending.delete(write)
      })
    this.#pending.add(write)
  }

  /** Waits until everything noted so far is written: before tokens are shown, and at the end. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending)
  }
}
