import { parse as parseArray } from 'postgres-array'
import type { RowBytes } from './row-bytes.ts'

/** Turns PostgreSQL's text form of a value, never null, into what the program works with. */
export type Decoder = (bytes: RowBytes, start: number, end: number) => unknown
type TextDecoder = (text: string) => unknown

const asText: Decoder = (bytes, start, end) => bytes.text(start, end)
/** For types whose text form has no other characters. */
const asAscii: Decoder = (bytes, start, end) => bytes.ascii(start, end)
const asNumber: Decoder = (bytes, start, end) => Number(bytes.ascii(start, end))
const asBoolean: Decoder = ({ buffer }, start) => buffer[start] === TRUE

const TRUE = 't'.charCodeAt(0)
const MINUS = '-'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
/** Digits of numbers that are exact, whichever they are. */
const SAFE_DIGITS = 15

/** An integer without a text in between. */
const asSafeInteger: Decoder = (bytes, start, end) => {
  const { buffer } = bytes
  const isNegative = buffer[start] === MINUS
  const first = isNegative ? start + 1 : start
  if (end - first > SAFE_DIGITS) return safeInteger(bytes.ascii(start, end))
  let value = 0
  for (let index = first; index < end; index++) value = value * 10 + (buffer[index] ?? 0) - ZERO
  return isNegative ? -value : value
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is beyond 2^53 and would be rounded`)
  return value
}

/**
 * ISO 8601 in UTC, with six digits of fraction or none, as the API shows timestamps. Expects the server's
 * form in a session whose time zone is UTC: 2026-11-21 05:28:30.75411+00.
 */
const momentOf: TextDecoder = (text) => {
  // infinity and years before Christ have no such form; no field of a model can hold them.
  if (!text.endsWith('+00')) return text
  const second = text.indexOf('.')
  const whole = (end: number) => text.slice(0, end).replace(' ', 'T')
  if (second === -1) return `${whole(-3)}Z`
  return `${whole(second)}.${text.slice(second + 1, -3).padEnd(6, '0')}Z`
}

const asMoment: Decoder = (bytes, start, end) => momentOf(bytes.ascii(start, end))

const arrayOf =
  (decode: TextDecoder): Decoder =>
  (bytes, start, end) =>
    parseArray(bytes.text(start, end), decode)

const asArrayOfTexts = arrayOf((text) => text)
const asArrayOfNumbers = arrayOf(Number)

// Object ids of pg_type.dat; they never change between versions of PostgreSQL.
const DECODERS: ReadonlyMap<number, Decoder> = new Map([
  [16, asBoolean], // bool
  [20, asSafeInteger], // int8
  [21, asSafeInteger], // int2
  [23, asSafeInteger], // int4
  [26, asSafeInteger], // oid
  [700, asNumber], // float4
  [701, asNumber], // float8
  [1184, asMoment], // timestamptz
  [650, asAscii], // cidr
  [774, asAscii], // macaddr8
  [829, asAscii], // macaddr
  [869, asAscii], // inet
  [1082, asAscii], // date
  [1700, asAscii], // numeric
  [2950, asAscii], // uuid
  [1000, arrayOf((text) => text === 't')], // bool[]
  [1005, asArrayOfNumbers], // int2[]
  [1007, asArrayOfNumbers], // int4[]
  [1016, arrayOf(safeInteger)], // int8[]
  [1021, asArrayOfNumbers], // float4[]
  [1022, asArrayOfNumbers], // float8[]
  [1185, arrayOf(momentOf)], // timestamptz[]
  [651, asArrayOfTexts], // cidr[]
  [1003, asArrayOfTexts], // name[]
  [1009, asArrayOfTexts], // text[]
  [1015, asArrayOfTexts], // varchar[]
  [1041, asArrayOfTexts], // inet[]
  [2951, asArrayOfTexts], // uuid[]
  [3905, asArrayOfTexts], // int4range[]
])

/**
 * The decoder of a type by its object id. Types without a row above (text, json, ranges, …) become text: the program passes
 * them on or parses them where it knows what they mean.
 */
export const decoderOf = (typeId: number): Decoder => DECODERS.get(typeId) ?? asText
