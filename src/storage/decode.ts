import { parse as parseArray } from 'postgres-array'

/** Turns PostgreSQL's text form of a value, never null, into what the program works with. */
export type Decoder = (text: string) => unknown

const asText: Decoder = (text) => text
const asNumber: Decoder = (text) => Number(text)
const asBoolean: Decoder = (text) => text === 't'

const asSafeInteger: Decoder = (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is beyond 2^53 and would be rounded`)
  return value
}

/**
 * ISO 8601 in UTC, with six digits of fraction or none, as the API shows timestamps. Expects the server's
 * form in a session whose time zone is UTC: 2026-11-21 05:28:30.75411+00.
 */
const asMoment: Decoder = (text) => {
  // infinity and years before Christ have no such form; no field of a model can hold them.
  if (!text.endsWith('+00')) return text
  const second = text.indexOf('.')
  const whole = (end: number) => text.slice(0, end).replace(' ', 'T')
  if (second === -1) return `${whole(-3)}Z`
  return `${whole(second)}.${text.slice(second + 1, -3).padEnd(6, '0')}Z`
}

const arrayOf = (decode: Decoder): Decoder => {
  return (text) => parseArray(text, decode)
}

// Object ids of pg_type.dat; they never change between versions of PostgreSQL.
const DECODERS: ReadonlyMap<number, Decoder> = new Map([
  [16, asBoolean], // bool
  [20, asSafeInteger], // int8
  [21, asNumber], // int2
  [23, asNumber], // int4
  [26, asNumber], // oid
  [700, asNumber], // float4
  [701, asNumber], // float8
  [1184, asMoment], // timestamptz
  [1000, arrayOf(asBoolean)],
  [1005, arrayOf(asNumber)],
  [1007, arrayOf(asNumber)],
  [1016, arrayOf(asSafeInteger)],
  [1021, arrayOf(asNumber)],
  [1022, arrayOf(asNumber)],
  [1185, arrayOf(asMoment)],
  [651, arrayOf(asText)], // cidr[]
  [1003, arrayOf(asText)], // name[]
  [1009, arrayOf(asText)], // text[]
  [1015, arrayOf(asText)], // varchar[]
  [1041, arrayOf(asText)], // inet[]
  [2951, arrayOf(asText)], // uuid[]
  [3905, arrayOf(asText)], // int4range[]
])

/**
 * The decoder of a type by its object id. Types without a row above (text, numeric, date, json, inet,
 * ranges, …) stay text: the program passes them on or parses them where it knows what they mean.
 */
export const decoderOf = (typeId: number): Decoder => DECODERS.get(typeId) ?? asText
