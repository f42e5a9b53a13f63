import { isDeepStrictEqual } from 'node:util'
import { encode } from '../db/encode.ts'
import type { Column } from '../schema/column.ts'
import { parseJson } from '../schema/json.ts'
import { UploadedFile } from '../schema/uploaded-file.ts'
import { type Sql, sql } from '../sql/fragment.ts'

/**
 * Conversion of column values between the form of rules and parsers (`RowOf` of schema/rule.ts) and the text forms of
 * PostgreSQL: JSON is parsed, addresses have their mask length, ranges are `[low, high]` inclusive.
 */

/** The column in a select list, in the form that `decodeValue` expects. */
export function selectColumn(column: Column, reference: Sql): Sql {
  // Arrays of JSON have no decoder in db/; they are read as text[].
  return column.type === 'jsonb[]' ? sql`${reference}::text[]` : reference
}

type Decoder = (value: unknown) => unknown

const asJson: Decoder = (value) => parseJson(String(value))
const asMac: Decoder = (value) => String(value).toUpperCase()

const DECODERS: Readonly<Record<string, Decoder>> = {
  json: asJson,
  jsonb: asJson,
  inet: (value) => withLength(String(value)),
  macaddr: asMac,
  macaddr8: asMac,
  'jsonb[]': (value) => (value as string[]).map(parseJson), // text[] by selectColumn
  'int4range[]': (value) => (value as string[]).map(parseRange), // decoded by db/ as text items
}

/** Converts a value of the column from db/, unless it is null, to the row's form; undefined if it has this form. */
export const decoderOf = (column: Column): Decoder | undefined => DECODERS[column.type]

/** A value from db/ in the row's form. */
export function decodeValue(column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  const decode = decoderOf(column)
  return decode ? decode(value) : value
}

/** A value of a row in PostgreSQL's text form; null for null. */
export function encodeValue(column: Column, value: unknown): string | null {
  if (value === null || value === undefined) return null
  switch (column.type) {
    case 'json':
    case 'jsonb':
      return JSON.stringify(value)
    case 'jsonb[]':
      return encode((value as unknown[]).map((item) => JSON.stringify(item))) // parsed as a list
    case 'int4range[]':
      return encode((value as [number, number][]).map(([low, high]) => `[${low},${high}]`)) // parsed
    default:
      return encode(value)
  }
}

/** Whether two values of a column are equal. A file that is not stored yet has no equal. */
export function sameValue(column: Column, left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (left instanceof UploadedFile || right instanceof UploadedFile) return false
  if (comparable(column, left) === comparable(column, right)) return true
  // The database stores the names of an object in its own order.
  return column.type === 'jsonb' && isDeepStrictEqual(left, right)
}

/** The text by which values of a column are compared. */
export function comparable(column: Column, value: unknown): string | null {
  const text = encodeValue(column, value)
  return text !== null && column.type === 'inet' ? withLength(text) : text
}

/** The inet text of a single host lacks its mask length. */
const withLength = (address: string): string =>
  address.includes('/') ? address : `${address}/${address.includes(':') ? 128 : 32}`

/** [1,101) → [1, 100]; PostgreSQL keeps ranges of integers in this form. */
function parseRange(text: string): readonly [number, number] {
  const [low = '', high = ''] = text.slice(1, -1).split(',')
  return [Number(low), Number(high) - 1]
}
