import type { Clock } from '../../src/base/clock.ts'

/** The system's clock, moved forward by tests that would otherwise have to wait. */
export class TestClock implements Clock {
  #offset = 0

  now(): number {
    return Date.now() + this.#offset
  }

  advance(milliseconds: number): void {
    this.#offset += milliseconds
  }
}
