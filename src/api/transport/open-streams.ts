import { Readable } from 'node:stream'

/** Milliseconds that clients have to read the rest of their streams when the service stops. */
const GRACE = 2_000

/** Endless responses that are being sent. */
export class OpenStreams {
  readonly #open = new Set<Readable>()

  /** The parts as a stream. */
  add(parts: AsyncIterable<Uint8Array>): Readable {
    const stream = Readable.from(parts, { objectMode: false })
    this.#open.add(stream)
    stream.on('close', () => this.#open.delete(stream))
    return stream
  }

  /**
   * Destroys the streams that have not ended by themselves after a while. Otherwise a client that does not read would
   * prevent the service from stopping.
   */
  close(): void {
    setTimeout(() => {
      for (const stream of this.#open) stream.destroy()
    }, GRACE).unref()
  }
}
