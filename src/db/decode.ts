import pg from 'pg'

/** Converts PostgreSQL's text form of a value, never null, to the form that the program works with. */
export type Decoder = (text: string) => unknown

const asText: Decoder = (text) => text
const asBoolean: Decoder = (text) => text === 't'

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53 and would be rounded`)
  return value
}

/**
 * ISO 8601 in UTC, with six digits of fraction or none, as the API shows timestamps. Expects the server's
 * form in a session whose time zone is UTC: 2026-11-21 05:28:30.75411+00.
 */
const timestampOf: Decoder = (text) => {
  // infinity and years before Christ have no such form; no field of a model can hold them.
  if (!text.endsWith('+00')) return text
  const second = text.indexOf('.')
  const whole = (end: number) => text.slice(0, end).replace(' ', 'T')
  if (second === -1) return `${whole(-3)}Z`
  return `${whole(second)}.${text.slice(second + 1, -3).padEnd(6, '0')}Z`
}

/** text[]; all arrays have the same text form. The library has no names for array types. */
const TEXT_ARRAY: number = 1009

/** A list of any depth: of texts, null, and lists. */
const parseArray: (text: string) => unknown = pg.types.getTypeParser(TEXT_ARRAY)

const arrayOf =
  (decode: Decoder): Decoder =>
  (text) =>
    decodeAll(parseArray(text), decode)

const decodeAll = (value: unknown, decode: Decoder): unknown => {
  if (Array.isArray(value)) return value.map((item) => decodeAll(item, decode))
  return value === null ? null : decode(String(value))
}

const asArrayOfTexts = arrayOf(asText)
const asArrayOfNumbers = arrayOf(Number)

// Object ids of pg_type.dat; they never change between versions of PostgreSQL.
const DECODERS: ReadonlyMap<number, Decoder> = new Map([
  [16, asBoolean], // bool
  [20, safeInteger], // int8
  [21, safeInteger], // int2
  [23, safeInteger], // int4
  [26, safeInteger], // oid
  [700, Number], // float4
  [701, Number], // float8
  [1184, timestampOf], // timestamptz
  [1000, arrayOf(asBoolean)], // bool[]
  [1005, asArrayOfNumbers], // int2[]
  [1007, asArrayOfNumbers], // int4[]
  [1016, arrayOf(safeInteger)], // int8[]
  [1021, asArrayOfNumbers], // float4[]
  [1022, asArrayOfNumbers], // float8[]
  [1185, arrayOf(timestampOf)], // timestamptz[]
  [651, asArrayOfTexts], // cidr[]
  [1003, asArrayOfTexts], // name[]
  [1009, asArrayOfTexts], // text[]
  [1015, asArrayOfTexts], // varchar[]
  [1041, asArrayOfTexts], // inet[]
  [2951, asArrayOfTexts], // uuid[]
  [3905, asArrayOfTexts], // int4range[]
])

/**
 * The decoder of a type by its object id. Types without a row above (text, json, addresses, ranges, …) become text: the
 * program passes them on or parses them if it knows what they mean.
 */
export const decoderOf = (typeId: number): Decoder => DECODERS.get(typeId) ?? asText
