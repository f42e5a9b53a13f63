import { isDate, parseTimestamp, toUtc } from '../../schema/timestamp.ts'
import { RefusedValue } from './refused-value.ts'

/** A text without leading and trailing spaces. Throws for NUL, which no column can contain. */
export function parseText(text: string): string {
  if (text.includes('\0')) throw new RefusedValue('Null characters are not allowed.')
  return text.trim()
}

/** A whole number in digits of any script; 5.0 is one too. */
export function parseInteger(text: string): bigint {
  const digits = asciiDigits(text.trim()).replace(/\.0*$/, '')
  if (!/^[+-]?\d{1,1000}$/.test(digits)) throw new RefusedValue('Enter a whole number.')
  return BigInt(digits.replace('+', ''))
}

/** A decimal number as text that PostgreSQL reads; neither infinite nor NaN. */
export function parseDecimal(text: string): string {
  const digits = asciiDigits(text.trim())
  if (!/^[+-]?(\d{1,500}(\.\d{0,500})?|\.\d{1,500})(e[+-]?\d{1,3})?$/i.test(digits)) {
    throw new RefusedValue('Enter a number.')
  }
  return digits
}

/** A day as YYYY-MM-DD, from this form or from MM/DD/YYYY. */
export function parseDate(text: string): string {
  const date = isoDate(text.trim())
  if (date === undefined) throw new RefusedValue('Enter a valid date.')
  return date
}

/** A timestamp as ISO 8601 in UTC. Without a zone it is in UTC; a date alone means midnight. */
export function parseDateTime(text: string): string {
  const [, day = '', time = ''] = /^([^T ]*)(.*)$/s.exec(text.trim()) ?? []
  const timestamp = parseTimestamp(`${isoDate(day) ?? day}${time}`)
  const utc = timestamp && toUtc(timestamp)
  if (utc === undefined) throw new RefusedValue('Enter a valid date/time.')
  return utc
}

/** The words for true and false, 2 and 3; undefined for anything else, which then does not filter. */
export const parseBoolean = (text: string): boolean | undefined => BOOLEANS.get(text)

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  // Values that the select widget of NetBox's forms sends.
  ['2', true],
  ['3', false],
])

/** A UUID in lower case, from a text with or without hyphens, in braces or as a URN. */
export function parseUuid(text: string): string {
  const digits = text
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replace(/^\{(.*)\}$/, '$1')
    .replaceAll('-', '')
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(digits)
  if (!parts) throw new RefusedValue('Enter a valid UUID.')
  return parts.slice(1).join('-')
}

function isoDate(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(asciiDigits(text))
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(asciiDigits(text))
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : [american?.[3], american?.[1], american?.[2]]
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  return isDate(date) ? date : undefined
}

/** Digits of other scripts (٥) as ASCII; in each script the ten digits are consecutive. */
const asciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    if (digit <= '9') return digit
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero -= 1
    return String(code - zero)
  })
