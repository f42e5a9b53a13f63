import type { JsonBytes } from './json-bytes.ts'

/** Writes a value that is not null as JSON, from its text as the database sent it. */
export type WriteBytes = (out: JsonBytes, bytes: Buffer, start: number, end: number) => void

const QUOTE = '"'.charCodeAt(0)
const SPACE = ' '.charCodeAt(0)
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

export const quotedBytes: WriteBytes = (out, bytes, start, end) => out.quoted(bytes, start, end)

/** Numbers, and what already is JSON. */
export const sameBytes: WriteBytes = (out, bytes, start, end) => out.part(bytes, start, end)

/** A string of values that hold nothing which JSON would escape. */
export const plainBytes: WriteBytes = (out, bytes, start, end) => {
  out.byte(QUOTE)
  out.part(bytes, start, end)
  out.byte(QUOTE)
}

/** The server writes `t` and `f`. */
export const booleanBytes: WriteBytes = (out, bytes, start) =>
  out.piece(bytes[start] === 't'.charCodeAt(0) ? TRUE : FALSE)

const ZONE = Buffer.from('+00')
const SEPARATOR = Buffer.from('T')
const END_OF_TIMESTAMP = Buffer.from('Z"')
const ZERO = '0'.charCodeAt(0)
/** `05:28:30`, and the dot before a fraction. */
const TIME = 8
const DOT = 1
const DIGITS_OF_FRACTION = 6

/** A timestamp in the form of storage/decode.ts. */
export const timestampBytes: WriteBytes = (out, bytes, start, end) => {
  const zone = end - ZONE.length
  // infinity, and years before Christ
  if (!isSame(ZONE, bytes, zone)) {
    quotedBytes(out, bytes, start, end)
    return
  }
  let day = start
  while (day < zone && bytes[day] !== SPACE) day += 1
  out.byte(QUOTE)
  out.part(bytes, start, day)
  out.piece(SEPARATOR)
  out.part(bytes, day + 1, zone)
  const digits = zone - (day + 1) - TIME - DOT
  for (let digit = digits; digits > 0 && digit < DIGITS_OF_FRACTION; digit++) out.byte(ZERO)
  out.piece(END_OF_TIMESTAMP)
}

/** Writes the JSON that belongs to a value, by the value's text; others as `other` does. */
export function bytesByText(
  texts: Iterable<readonly [string, string]>,
  other: (value: string) => string,
): WriteBytes {
  const groups = new Map<number, Known[]>()
  for (const [value, json] of texts) {
    const known = { value: Buffer.from(value), json: Buffer.from(json) }
    const key = groupOf(known.value, 0, known.value.length)
    groups.set(key, [...(groups.get(key) ?? []), known])
  }
  return (out, bytes, start, end) => {
    for (const { value, json } of groups.get(groupOf(bytes, start, end)) ?? NONE) {
      if (isSame(value, bytes, start)) {
        out.piece(json)
        return
      }
    }
    out.text(other(bytes.toString('utf8', start, end)))
  }
}

interface Known {
  readonly value: Buffer
  readonly json: Buffer
}

const NONE: readonly Known[] = []
const BYTE = 256

/** Tells most values of a set of choices apart: a string of a few bytes takes longer to make. */
const groupOf = (bytes: Buffer, start: number, end: number): number =>
  ((end - start) * BYTE + (bytes[start] ?? 0)) * BYTE + (bytes[end - 1] ?? 0)

/** Whether the bytes at the position are those of the value, which has as many. */
function isSame(value: Buffer, bytes: Buffer, start: number): boolean {
  for (let index = 0; index < value.length; index++) {
    if (value[index] !== bytes[start + index]) return false
  }
  return true
}
