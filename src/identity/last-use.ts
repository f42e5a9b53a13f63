import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { updateTable } from '../sql/table.ts'

const INTERVAL = 60_000

/**
 * Records `last_used` of tokens, at most once a minute for each, without delaying the request. Writes nothing in
 * maintenance mode, or if the database accepts no writes.
 */
export class LastUse {
  readonly #service: Service
  /** Last recorded use of each token, in milliseconds since 1970. */
  readonly #noted = new Map<number, number>()
  readonly #pending = new Set<Promise<void>>()

  constructor(service: Service) {
    this.#service = service
  }

  /** Sets the stored value, when a token is loaded. */
  remember(tokenId: number, lastUsed: number | undefined): void {
    if (lastUsed === undefined) this.#noted.delete(tokenId)
    else this.#noted.set(tokenId, lastUsed)
  }

  /** Records that the token is being used. */
  note(tokenId: number): void {
    const { clock, database, settings } = this.#service
    const now = clock.now()
    if (
      settings.maintenanceMode ||
      now - (this.#noted.get(tokenId) ?? Number.NEGATIVE_INFINITY) <= INTERVAL ||
      database.writeProblem()
    ) {
      return
    }
    this.#noted.set(tokenId, now)
    const write = database
      .execute(
        sql`${updateTable(SYSTEM.token)} set last_used = ${new Date(now)}::timestamptz where id = ${tokenId}::bigint`,
      )
      // If the database is unreachable, the request itself fails, and the next use is written again.
      .catch(() => this.#noted.delete(tokenId))
      .then(() => {
        this.#pending.delete(write)
      })
    this.#pending.add(write)
  }

  /** Waits until all recorded uses are written: before tokens are listed, and at shutdown. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending)
  }
}
