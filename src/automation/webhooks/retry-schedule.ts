/** The longest delay, in milliseconds. */
const DAY = 86_400_000
/** Each delay is extended by a random part of this size, so that receivers are not called by all processes at once. */
const JITTER = 0.25
/** Failed attempts after which a delivery is dead: about three days with a first delay of 10 s. */
const MOST_FAILURES = 15

/**
 * Milliseconds before the next attempt after so many failures: `first`, doubled with each failure, at most a day.
 * Undefined if there is no further attempt. `random` is from 0 to 1.
 */
export function retryDelay(failures: number, first: number, random: number): number | undefined {
  if (failures >= MOST_FAILURES) return undefined
  const delay = first * 2 ** (failures - 1)
  return Math.round(Math.min(DAY, delay * (1 + JITTER * random)))
}
