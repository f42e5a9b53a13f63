/**
 * Lets writes overtake reads. A write waits for the database several times; without this, each answer of the database would wait until all
 * reads that have arrived meanwhile are computed. While a write is in progress, reads therefore begin one by one, and between two of them
 * the event loop takes up what the database has sent.
 */
export class WritesFirst {
  #writes = 0
  readonly #waiting: (() => void)[] = []

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
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#beginOne)
    })
  }

  /** Begins the read that has waited longest, then lets the event loop look for input. */
  readonly #beginOne = (): void => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#beginOne)
  }
}
