/**
 * Columns of a query that may stay as the database sent them, by their places in the select list: nothing is made of them but text. In a row
 * in which they did, each is null or the position of its value's text, and behind the values stand the bytes.
 */
export type UndecodedColumns = readonly boolean[]

/** The bytes behind the values of a row; undefined where all columns were decoded. */
export function bytesBehind(row: readonly unknown[]): Buffer | undefined {
  const last = row.at(-1)
  return Buffer.isBuffer(last) ? last : undefined
}

/** Of the length of a value, which stands before it. */
export const LENGTH_BYTES = 4

/** Where the text of an undecoded value ends. `start`: its position in the bytes. */
export const valueEnd = (bytes: Buffer, start: number): number =>
  start + int32At(bytes, start - LENGTH_BYTES)

/** Four bytes as a signed integer. The library's own reader checks its arguments, which takes longer. */
export const int32At = (bytes: Buffer, position: number): number =>
  ((bytes[position] ?? 0) << 24) |
  ((bytes[position + 1] ?? 0) << 16) |
  ((bytes[position + 2] ?? 0) << 8) |
  (bytes[position + 3] ?? 0)
