import type { Decoder } from './decode.ts'

/** Texts of up to this many bytes are checked in a loop; a call out of JavaScript would take longer. */
const SHORT = 64
/** Of the number of a row's values. */
const COUNT_BYTES = 2
/** Of the length of a value, before it. */
const LENGTH_BYTES = 4

/** Bytes from a server with rows among them, in which every value is PostgreSQL's text form. */
export class RowBytes {
  readonly buffer: Buffer
  readonly #isShared: boolean
  #latin1: string | undefined

  /**
   * `isShared`: texts are parts of one string of all bytes, which is four times as fast as a string of its own for each. They hold
   * on to that string, so they suit results that are not cached in small parts.
   */
  constructor(buffer: Buffer, isShared: boolean) {
    this.buffer = buffer
    this.#isShared = isShared
  }

  /** Text of bytes that are known to be ASCII. */
  ascii(start: number, end: number): string {
    if (!this.#isShared) return this.buffer.toString('latin1', start, end)
    this.#latin1 ??= this.buffer.toString('latin1')
    return this.#latin1.slice(start, end)
  }

  /** Text of bytes in UTF-8. */
  text(start: number, end: number): string {
    return end - start <= SHORT && this.#isAscii(start, end)
      ? this.ascii(start, end)
      : this.buffer.toString('utf8', start, end)
  }

  /** Four bytes as a signed integer. */
  int32(position: number): number {
    const { buffer } = this
    return (
      ((buffer[position] ?? 0) << 24) |
      ((buffer[position + 1] ?? 0) << 16) |
      ((buffer[position + 2] ?? 0) << 8) |
      (buffer[position + 3] ?? 0)
    )
  }

  #isAscii(start: number, end: number): boolean {
    for (let index = start; index < end; index++) if ((this.buffer[index] ?? 0) > 127) return false
    return true
  }
}

/** The first value of a row: without an array for each row, millions of which would take most of the memory of a long list of ids. */
export function readFirst(bytes: RowBytes, start: number, [decode]: readonly Decoder[]): unknown {
  const length = bytes.int32(start + COUNT_BYTES)
  const value = start + COUNT_BYTES + LENGTH_BYTES
  return length === -1 || !decode ? null : decode(bytes, value, value + length)
}

/** Values of a row: two bytes for their number, then for each its length, -1 for null, and its text. */
export function readRow(bytes: RowBytes, start: number, decoders: readonly Decoder[]): unknown[] {
  const row: unknown[] = []
  let position = start + COUNT_BYTES
  for (const decode of decoders) {
    const length = bytes.int32(position)
    position += LENGTH_BYTES
    if (length === -1) {
      row.push(null)
    } else {
      row.push(decode(bytes, position, position + length))
      position += length
    }
  }
  return row
}
