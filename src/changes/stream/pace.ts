/** The amount of work that a turn found. `more`: some work is left for the next turn. */
type TurnEnd = 'more' | 'work' | 'nothing'

/**
 * Milliseconds from one turn to the next, so that the events of many small writes get their positions together. Without
 * urgency, they get them later, because each turn costs as much as a small write. A process that found nothing to do
 * leaves the work to another one for a while.
 */
const PAUSES: Readonly<Record<TurnEnd, { readonly least: number; readonly most: number }>> = {
  more: { least: 20, most: 20 },
  work: { least: 20, most: 250 },
  nothing: { least: 100, most: 100 },
}

/** Spaces out the turns of a loop. A turn after a longer pause is due at once. */
export class Pace {
  readonly #wake: () => void
  /** Times at which the next turn is due: with and without urgency. */
  #earliest = 0
  #latest = 0
  #timer: NodeJS.Timeout | undefined

  /** `wake` starts a turn of the loop. */
  constructor(wake: () => void) {
    this.#wake = wake
  }

  /** Whether a turn is due: enough time has passed, or `isUrgent`. If it is not, the loop is woken later. */
  isDue(isUrgent: boolean): boolean {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const delay = (isUrgent ? this.#earliest : this.#latest) - performance.now()
    if (delay <= 0) return true
    this.#delay(delay)
    return false
  }

  /** Something has become urgent: wakes the loop if a turn is delayed. */
  hurry(): void {
    if (this.#timer) this.#wake()
  }

  /** The turn has ended. */
  ended(end: TurnEnd): void {
    const { least, most } = PAUSES[end]
    const now = performance.now()
    this.#earliest = now + least
    this.#latest = now + most
  }

  #delay(milliseconds: number): void {
    // Rounded up: a timer may fire within the millisecond before.
    this.#timer = setTimeout(this.#wake, Math.ceil(milliseconds)).unref()
  }
}
