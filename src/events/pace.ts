import { setTimeout as sleep } from 'node:timers/promises'

/** What a turn found. `more`: there is work left for the next one. */
export type TurnEnd = 'more' | 'work' | 'nothing'

/**
 * Milliseconds from one turn to the next, so that the events of many small writes get their positions together. Without a hurry
 * they get them later: each turn costs as much as a small write. A process that found nothing to do leaves the work to
 * another one for a while.
 */
const PAUSES: Readonly<Record<TurnEnd, { readonly least: number; readonly most: number }>> = {
  more: { least: 20, most: 20 },
  work: { least: 20, most: 250 },
  nothing: { least: 100, most: 100 },
}

/** Keeps the turns of a loop apart. A turn after a longer pause is due at once. */
export class Pace {
  readonly #wake: () => void
  /** Times at which the next turn may start, and at which it does without a hurry. */
  #earliest = 0
  #latest = 0
  #timer: NodeJS.Timeout | undefined

  /** `wake` starts a turn of the loop. */
  constructor(wake: () => void) {
    this.#wake = wake
  }

  /**
   * Resolves when a turn may start, with whether it is due: because enough time has passed, or because `isUrgent`. If it is not,
   * the loop is woken when it is. Rejects when the signal is aborted.
   */
  async isDue(signal: AbortSignal, isUrgent: () => Promise<boolean>): Promise<boolean> {
    const wait = this.#earliest - performance.now()
    if (wait > 0) await sleep(wait, undefined, { signal })
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (performance.now() >= this.#latest || (await isUrgent())) return true
    this.#timer = setTimeout(this.#wake, this.#latest - performance.now()).unref()
    return false
  }

  /** It has become urgent: wakes the loop if a turn was put off. */
  hurry(): void {
    if (this.#timer) this.#wake()
  }

  /** The turn has ended. */
  ended(end: TurnEnd): void {
    const { least, most } = PAUSES[end]
    this.#earliest = performance.now() + least
    this.#latest = performance.now() + most
  }
}
