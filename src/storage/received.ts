/** Bytes of the buffer that is reused for the next result; few results are longer. */
const KEPT = 1_048_576

/** Bytes that arrive in parts, gathered in one place that is used again and again. */
export class Received {
  #place = Buffer.allocUnsafe(KEPT)
  #length = 0

  /** The bytes that arrived since the last `clear`; to be read before anything is added or cleared. */
  get bytes(): Buffer {
    return this.#place.subarray(0, this.#length)
  }

  add(part: Uint8Array): void {
    const length = this.#length + part.length
    if (length > this.#place.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#place.length))
      larger.set(this.bytes)
      this.#place = larger
    }
    this.#place.set(part, this.#length)
    this.#length = length
  }

  clear(): void {
    this.#length = 0
    if (this.#place.length > KEPT) this.#place = Buffer.allocUnsafe(KEPT)
  }
}
