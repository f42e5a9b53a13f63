import type { ChangeLog } from './cache/change-log.ts'
import type { ModelChange } from './cache/model-change.ts'

/** Position in PostgreSQL's write-ahead log, in bytes from its beginning. Only positions of one timeline can be compared. */
type LogPosition = number

/**
 * Position of a server on its timeline. A promotion starts a new timeline, which leaves the log of the old one at some
 * position.
 */
export interface ServerPosition {
  readonly timeline: number
  readonly position: LogPosition
}

/** A position from its text form: two hexadecimal numbers of 32 bits. */
export function parsePosition(text: string): LogPosition {
  const [high = '', low = ''] = text.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/** Milliseconds before the position is read again after a failure. */
const RETRY_DELAY = 500

/**
 * For each model, the position after all of its changes that this process knows of. A server that has replayed the log
 * up to this position has all of them. The primary's position is read after each change has been recorded, since a
 * change is recorded after its commit. Until it is known, no replica may serve the model. Changes in quick succession
 * share one read.
 */
export class RequiredPositions {
  readonly #readPosition: () => Promise<LogPosition>
  readonly #ofModel = new Map<string, LogPosition>()
  /** Position after changes of unknown models. */
  #ofAll: LogPosition = 0
  /** Number of the last change of each model whose position is not known yet. */
  readonly #pending = new Map<string, number>()
  #allPending: number | undefined = 0
  #lastChange = 0
  #isReading = false
  #isClosed = false

  /** `readPosition`: the position that the primary has reached. */
  constructor(readPosition: () => Promise<LogPosition>) {
    this.#readPosition = readPosition
  }

  /** Follows the changes that the log records, from now on. */
  follow(log: Pick<ChangeLog, 'watchAll'>): void {
    log.watchAll((changes) => this.#note(changes))
    void this.#learn()
  }

  /** Position that a server must have replayed to answer a read of these models; undefined while it is not known. */
  behind(models: readonly string[]): LogPosition | undefined {
    if (this.#allPending !== undefined) return undefined
    let position = this.#ofAll
    for (const model of models) {
      if (this.#pending.has(model)) return undefined
      position = Math.max(position, this.#ofModel.get(model) ?? 0)
    }
    return position
  }

  close(): void {
    this.#isClosed = true
  }

  #note(changes: readonly ModelChange[] | undefined): void {
    const change = ++this.#lastChange
    if (changes) for (const { model } of changes) this.#pending.set(model, change)
    else this.#allPending = change
    void this.#learn()
  }

  async #learn(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (!this.#isClosed && (this.#allPending !== undefined || this.#pending.size > 0)) {
        const until = this.#lastChange
        this.#set(until, await this.#readPosition())
      }
    } catch {
      setTimeout(() => void this.#learn(), RETRY_DELAY).unref()
    } finally {
      this.#isReading = false
    }
  }

  /** The position was read after all changes up to that number. */
  #set(until: number, position: LogPosition): void {
    if (this.#allPending !== undefined && this.#allPending <= until) {
      this.#allPending = undefined
      this.#ofAll = position
      // They are no later, or belong to the timeline of a former primary.
      this.#ofModel.clear()
    }
    for (const [model, change] of this.#pending) {
      if (change > until) continue
      this.#pending.delete(model)
      this.#ofModel.set(model, position)
    }
  }
}
