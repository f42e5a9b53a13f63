import { vi } from 'vitest'

/** The longest time of a timer: the watchdog of the run ends tests that never finish. */
const WITHOUT_LIMIT = { timeout: 2 ** 31 - 1 }

/** Repeats `check` until it no longer throws. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, WITHOUT_LIMIT)
