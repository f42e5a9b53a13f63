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

/** Where the text of an undecoded value ends. `start`: its position in the bytes; the four before it are its length. */
export const valueEnd = (bytes: Buffer, start: number): number =>
  start +
  (((bytes[start - 4] ?? 0) << 24) |
    ((bytes[start - 3] ?? 0) << 16) |
    ((bytes[start - 2] ?? 0) << 8) |
    (bytes[start - 1] ?? 0))
