import type { EventEmitter } from 'node:events'
import { RowBytes } from './row-bytes.ts'

const DATA_ROW = 'D'.charCodeAt(0)
/** A byte of type, then four of length, which count themselves but not the type. */
const HEADER = 5

/** Receives the rows of the statements under way. */
export interface RowReceiver {
  /** A row whose values begin at the position. The bytes are the same object for rows that arrived together. */
  row(bytes: RowBytes, start: number): void
}

/**
 * Takes the rows out of what a server sends. The library, which reads all other messages, makes an object for every row and a
 * string for every value; rows are most of what is sent. PostgreSQL's manual, "Message Formats".
 */
export class RowMessages {
  /** Undefined: rows go to the library too. */
  receiver: RowReceiver | undefined
  readonly #forward: (bytes: Buffer) => void
  /** The beginning of a message whose end has not arrived. */
  #begun: Buffer[] = []
  #length = 0

  /** `stream`: a connection of the library, between two queries. */
  constructor(stream: EventEmitter) {
    const listeners = stream.listeners('data')
    this.#forward = (bytes) => {
      for (const listener of listeners) listener(bytes)
    }
    stream.removeAllListeners('data')
    stream.on('data', (bytes: Buffer) => this.#add(bytes))
  }

  #add(bytes: Buffer): void {
    if (this.#length === 0) {
      this.#read(bytes)
      return
    }
    this.#begun.push(bytes)
    this.#length += bytes.length
    // A long message is joined once, not with each of its parts.
    if (this.#length < this.#needed()) return
    const joined = Buffer.concat(this.#begun, this.#length)
    this.#begun = []
    this.#length = 0
    this.#read(joined)
  }

  /** Bytes of the message that has begun, as far as they are known. */
  #needed(): number {
    const [first] = this.#begun
    return first && first.length >= HEADER ? messageEnd(first, 0) : HEADER
  }

  #read(buffer: Buffer): void {
    const rows = new RowBytes(buffer, true)
    /** Where the messages begin that the library has not got yet. */
    let others = 0
    let start = 0
    while (start + HEADER <= buffer.length) {
      const end = messageEnd(buffer, start)
      if (end > buffer.length) break
      const { receiver } = this
      if (buffer[start] === DATA_ROW && receiver) {
        if (others < start) this.#forward(buffer.subarray(others, start))
        receiver.row(rows, start + HEADER)
        others = end
      }
      start = end
    }
    if (others < start) this.#forward(buffer.subarray(others, start))
    if (start < buffer.length) {
      this.#begun = [buffer.subarray(start)]
      this.#length = buffer.length - start
    }
  }
}

const messageEnd = (buffer: Buffer, start: number): number =>
  start + 1 + buffer.readUInt32BE(start + 1)
