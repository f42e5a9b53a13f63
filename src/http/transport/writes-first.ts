/** Milliseconds that a read waits at most for writes that are in progress. */
const LONGEST_WAIT = 5

/** A read that has not begun. */
interface WaitingRead {
  /** Time at which it begins although a write is in progress. */
  readonly until: number
  begin(): void
}

/**
 * Lets writes overtake reads. A write waits for the database several times; without this, each answer of the database would wait until all
 * reads that have arrived meanwhile are computed, and the database for a processor. While a write is in progress, reads therefore wait for
 * some milliseconds, and then begin one by one: between two of them the event loop takes up what the database has sent.
 */
export class WritesFirst {
  #writes = 0
  readonly #waiting: WaitingRead[] = []
  #timer: NodeJS.Timeout | undefined
  #isTurnDue = false

  /** Runs the work of a request: a write at once, a read at once unless a write is in progress. */
  async run<T>(isReading: boolean, work: () => Promise<T>): Promise<T> {
    if (isReading) {
      if (this.#writes > 0) await this.#turn()
      return await work()
    }
    this.#writes++
    try {
      return await work()
    } finally {
      this.#writes--
      this.#beginLater()
    }
  }

  #turn(): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ until: performance.now() + LONGEST_WAIT, begin })
      this.#beginLater()
    })
  }

  /** Begins the next read in the next turn of the event loop, or when it has waited long enough. */
  #beginLater(): void {
    const [next] = this.#waiting
    if (!next || this.#isTurnDue) return
    clearTimeout(this.#timer)
    const rest = this.#writes > 0 ? next.until - performance.now() : 0
    if (rest > 0) {
      this.#timer = setTimeout(() => this.#beginLater(), Math.ceil(rest))
      return
    }
    this.#isTurnDue = true
    setImmediate(() => {
      this.#isTurnDue = false
      this.#waiting.shift()?.begin()
      this.#beginLater()
    })
  }
}
