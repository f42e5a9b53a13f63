/** Receives messages for operators. */
export interface LoopLog {
  error(details: Readonly<Record<string, unknown>>, message: string): void
}

/** `again`: there may be more to do now. `idle`: nothing was left to do. */
export type TurnResult = 'again' | 'idle'

/** A piece of work that is repeated for as long as the service runs. */
export interface Loop {
  /** Runs a turn soon; while one is running, another one follows it. */
  wake(): void
  /** Aborts the turn that is running and resolves when it has ended. No turn follows. */
  stop(): Promise<void>
}

interface LoopOptions {
  /** For the log. */
  readonly name: string
  /** Longest time between two turns, in milliseconds. */
  readonly idleMs: number
  readonly log: LoopLog
  /** One step of the work. The signal is aborted when the loop stops. */
  turn(signal: AbortSignal): Promise<TurnResult>
}

/** Milliseconds before a failed turn is repeated: the first time, and at most. */
const FIRST_DELAY = 1_000
const LONGEST_DELAY = 30_000

/**
 * Starts a loop: `turn` runs at once, whenever the loop is woken, and at the latest `idleMs` after the last turn. A
 * turn that returns `again` is followed by the next one at once. A failure is logged, and the turn is repeated after a
 * growing delay, which waking does not shorten.
 */
export function startLoop({ name, idleMs, log, turn }: LoopOptions): Loop {
  const stopping = new AbortController()
  const alarm = new Alarm()
  let failures = 0

  /** Runs one turn; returns the milliseconds until the next. */
  const runTurn = async (): Promise<number> => {
    try {
      const result = await turn(stopping.signal)
      failures = 0
      return result === 'again' ? 0 : idleMs
    } catch (error) {
      if (stopping.signal.aborted) return 0
      failures += 1
      log.error({ err: error, loop: name }, `${name} failed and is repeated`)
      return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures - 1))
    }
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const pause = await runTurn()
      if (stopping.signal.aborted || pause === 0) continue
      await alarm.wait(pause, { canBeWoken: failures === 0 })
    }
  }

  const ended = run()
  return {
    wake: () => alarm.wake(),
    stop: async () => {
      stopping.abort()
      alarm.end()
      await ended
    },
  }
}

/** The pause between two turns. */
class Alarm {
  #isWoken = false
  #canBeWoken = false
  #ring: (() => void) | undefined

  /** Ends the current pause, or the next one before it begins. */
  wake(): void {
    this.#isWoken = true
    if (this.#canBeWoken) this.#ring?.()
  }

  /** Ends the current pause, whatever its reason. */
  end(): void {
    this.#ring?.()
  }

  async wait(milliseconds: number, { canBeWoken }: { readonly canBeWoken: boolean }): Promise<void> {
    if (!(canBeWoken && this.#isWoken)) {
      this.#canBeWoken = canBeWoken
      const { promise, resolve } = Promise.withResolvers<void>()
      // A loop alone does not keep the process alive.
      const timer = setTimeout(resolve, milliseconds).unref()
      this.#ring = resolve
      await promise
      clearTimeout(timer)
      this.#ring = undefined
    }
    this.#isWoken = false
  }
}
