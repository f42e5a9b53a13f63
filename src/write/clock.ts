/** The clock's reading, ISO 8601 UTC with microseconds. */
export function currentMoment(): string {
  const milliseconds = new Date().toISOString().slice(0, 23)
  // The wall clock has milliseconds; the digits below them come from the other one.
  const microseconds = Math.floor((performance.now() % 1) * 1000)
  return `${milliseconds}${String(microseconds).padStart(3, '0')}Z`
}

/** A moment some microseconds later. */
export function laterBy(moment: string, microseconds: number): string {
  const fraction = Number(moment.slice(20, 26)) + microseconds
  const seconds = Date.parse(`${moment.slice(0, 19)}Z`) + Math.floor(fraction / 1_000_000) * 1000
  const rest = String(fraction % 1_000_000).padStart(6, '0')
  return `${new Date(seconds).toISOString().slice(0, 19)}.${rest}Z`
}
