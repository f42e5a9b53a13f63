/** Source of the current time. Code that compares with the current time gets it from here, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

let latest = { milliseconds: 0, microseconds: 0 }
/** The second of the latest timestamp, and its text: `2026-11-22T10:00:59`. */
let latestSecond = { seconds: 0, text: '1970-01-01T00:00:00' }

/** Current time of the clock, ISO 8601 UTC with microseconds. Never earlier than a previous timestamp of the same millisecond. */
export function currentTimestamp(clock: Clock): string {
  const milliseconds = clock.now()
  // The wall clock has milliseconds. The digits below them come from another clock, whose milliseconds start at other
  // times.
  const digits = Math.floor((performance.now() % 1) * 1000)
  const microseconds = latest.milliseconds === milliseconds ? Math.max(digits, latest.microseconds) : digits
  latest = { milliseconds, microseconds }
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds !== latestSecond.seconds) latestSecond = { seconds, text: textOfSecond(seconds) }
  const fraction = Math.floor(milliseconds - seconds * 1000)
  return `${latestSecond.text}.${threeDigits(fraction)}${threeDigits(microseconds)}Z`
}

const textOfSecond = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19)

const threeDigits = (number: number): string => String(1000 + number).slice(1)

/** Timestamps that are some microseconds later than this one. */
export function timestampsAfter(timestamp: string): (microseconds: number) => string {
  const second = timestamp.slice(0, 19)
  const start = Number(timestamp.slice(20, 26))
  return (microseconds) => {
    if (microseconds === 0) return timestamp
    const fraction = start + microseconds
    const remainder = String(fraction % 1_000_000).padStart(6, '0')
    const seconds = Math.floor(fraction / 1_000_000)
    return seconds === 0 ? `${second}.${remainder}Z` : `${secondsLater(second, seconds)}.${remainder}Z`
  }
}

const secondsLater = (second: string, seconds: number): string =>
  textOfSecond(Date.parse(`${second}Z`) / 1000 + seconds)
