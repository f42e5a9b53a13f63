/** Bytes of the longest character in UTF-8. Where fewer are left, one may not have found room. */
const LONGEST = 4
/** Most bytes of a UTF-16 code unit in UTF-8. */
const WIDEST = 3
/** Up to this many bytes are copied in a loop; a view of them, which a copy at once needs, takes longer to make. */
const SHORT = 28

const USUAL_SIZE = 4_000
/** Of the largest exact integer. */
const MOST_DIGITS = 16
const TEN = 10
const ZERO = '0'.charCodeAt(0)
const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
/** The first character that JSON does not escape. */
const FIRST_PLAIN = ' '.charCodeAt(0)

/** JSON in UTF-8 that grows at its end. */
export class JsonBytes {
  #buffer: Buffer
  #length = 0

  /** `size`: bytes for which there is room at first; by default, for most objects. */
  constructor(size = USUAL_SIZE) {
    this.#buffer = Buffer.allocUnsafe(size + LONGEST)
  }

  get length(): number {
    return this.#length
  }

  /** All that has been written, without a copy. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  toString(): string {
    return this.#buffer.toString('utf8', 0, this.#length)
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.#length + count + LONGEST
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(needed)
    larger.set(this.bytes)
    this.#buffer = larger
  }

  byte(byte: number): void {
    this.#makeRoom(1)
    this.#buffer[this.#length++] = byte
  }

  /** A whole number that is not negative and exact. */
  integer(value: number): void {
    this.#makeRoom(MOST_DIGITS)
    const buffer = this.#buffer
    let end = this.#length + 1
    for (let rest = value; rest >= TEN; rest = Math.floor(rest / TEN)) end += 1
    this.#length = end
    let rest = value
    do {
      buffer[--end] = ZERO + (rest % TEN)
      rest = Math.floor(rest / TEN)
    } while (rest > 0)
  }

  text(text: string): void {
    const written = this.#buffer.write(text, this.#length)
    // A character that does not fit is left out, with all that follow.
    if (this.#length + written + LONGEST <= this.#buffer.length) {
      this.#length += written
      return
    }
    this.#makeRoom(WIDEST * text.length)
    this.#length += this.#buffer.write(text, this.#length)
  }

  /** Bytes that are JSON already. */
  piece(bytes: Buffer): void {
    this.#makeRoom(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** A part of bytes that is JSON already. */
  part(bytes: Buffer, start: number, end: number): void {
    if (end - start > SHORT) {
      this.piece(bytes.subarray(start, end))
      return
    }
    this.#makeRoom(end - start)
    const buffer = this.#buffer
    let at = this.#length
    for (let index = start; index < end; index++) buffer[at++] = bytes[index] ?? 0
    this.#length = at
  }

  /** A part of bytes as a JSON string. */
  quoted(bytes: Buffer, start: number, end: number): void {
    if (end - start > SHORT) {
      this.#quotedLong(bytes, start, end)
      return
    }
    this.#makeRoom(end - start + 2)
    const buffer = this.#buffer
    let at = this.#length
    buffer[at++] = QUOTE
    for (let index = start; index < end; index++) {
      const byte = bytes[index] ?? 0
      if (isEscaped(byte)) {
        this.#escaped(bytes, start, end)
        return
      }
      buffer[at++] = byte
    }
    buffer[at++] = QUOTE
    this.#length = at
  }

  #quotedLong(bytes: Buffer, start: number, end: number): void {
    for (let index = start; index < end; index++) {
      if (isEscaped(bytes[index] ?? 0)) {
        this.#escaped(bytes, start, end)
        return
      }
    }
    this.byte(QUOTE)
    this.piece(bytes.subarray(start, end))
    this.byte(QUOTE)
  }

  #escaped(bytes: Buffer, start: number, end: number): void {
    this.text(JSON.stringify(bytes.toString('utf8', start, end)))
  }

  #makeRoom(count: number): void {
    if (this.#length + count + LONGEST > this.#buffer.length) {
      this.reserve(this.#buffer.length + count)
    }
  }
}

/** Bytes of longer characters are never escaped: JSON is UTF-8. */
const isEscaped = (byte: number): boolean =>
  byte < FIRST_PLAIN || byte === QUOTE || byte === BACKSLASH
