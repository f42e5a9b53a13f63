/** Source of the current time. Whatever compares with the current time gets it from here, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Current time of the clock, ISO 8601 UTC with microseconds. */
export function currentMoment(clock: Clock): string {
  const milliseconds = new Date(clock.now()).toISOString().slice(0, 23)
  // The wall clock has milliseconds; the digits below them come from the other one.
  const microseconds = Math.floor((performance.now() % 1) * 1000)
  return `${milliseconds}${String(microseconds).padStart(3, '0')}Z`
}

/** Moments some microseconds later than the one given. */
export function momentsAfter(moment: string): (microseconds: number) => string {
  const second = moment.slice(0, 19)
  const start = Number(moment.slice(20, 26))
  return (microseconds) => {
    const fraction = start + microseconds
    const rest = String(fraction % 1_000_000).padStart(6, '0')
    const seconds = Math.floor(fraction / 1_000_000)
    return seconds === 0 ? `${second}.${rest}Z` : `${secondsLater(second, seconds)}.${rest}Z`
  }
}

const secondsLater = (second: string, seconds: number): string =>
  new Date(Date.parse(`${second}Z`) + seconds * 1000).toISOString().slice(0, 19)
