import { setTimeout } from 'node:timers/promises'

/** Keeps turns of work apart. */
export class Pace {
  #next = 0

  /** Resolves when the next turn may start. Rejects when the signal is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    const delay = this.#next - performance.now()
    if (delay > 0) await setTimeout(delay, undefined, { signal })
  }

  /** From now on so many milliseconds have to pass before the next turn. */
  pause(milliseconds: number): void {
    this.#next = performance.now() + milliseconds
  }
}
