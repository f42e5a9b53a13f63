/** A JSON text, in bytes and as a string. */
export class JsonText {
  readonly bytes: Buffer
  #text: string | undefined

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Made when it is first needed: most texts are only copied into others. */
  toString(): string {
    this.#text ??= this.bytes.toString()
    return this.#text
  }
}
