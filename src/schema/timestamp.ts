const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** Whether text is a calendar date, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text)
  if (!match) return false
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** A timestamp in parts; without a zone it is in UTC. A date alone means midnight. */
export interface Timestamp {
  readonly date: string
  /** HH:MM:SS. */
  readonly time: string
  /** Six digits, or '' for a whole second. */
  readonly fraction: string
  /** Z, ±HH:MM or ''. */
  readonly zone: string
}

/** The parts of an ISO 8601 timestamp with T or a space; undefined for other texts. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = TIMESTAMP.exec(text.trim())
  const [, date = '', hour = '00', minute = '00', second = '00', digits = '', zone = ''] = match ?? []
  if (!match || !isDate(date)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const fraction = digits === '' ? '' : digits.slice(0, 6).padEnd(6, '0')
  return { date, time: `${hour}:${minute}:${second}`, fraction, zone: zoneOf(zone) }
}

function zoneOf(zone: string): string {
  if (zone === '' || zone.toUpperCase() === 'Z') return zone.toUpperCase()
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** ISO 8601 UTC in the form of rows: a fraction of six digits or none, Z. */
export function toUtc({ date, time, fraction, zone }: Timestamp): string | undefined {
  const timestamp = new Date(`${date}T${time}${zone === '' ? 'Z' : zone}`)
  const year = timestamp.getUTCFullYear()
  if (Number.isNaN(timestamp.getTime()) || year < 1 || year > 9999) return undefined
  const whole = timestamp.toISOString().slice(0, 19)
  return Number(fraction) === 0 ? `${whole}Z` : `${whole}.${fraction}Z`
}

/** ISO 8601 with the original zone and T between date and time. */
export const toIso = ({ date, time, fraction, zone }: Timestamp): string =>
  `${date}T${time}${fraction === '' ? '' : `.${fraction}`}${zone}`
