import { ApiError } from '../../base/errors.ts'
import { currentService, type Service } from '../../service.ts'
import { type EventStream, eventStreamOf } from './event-stream.ts'
import type { EventText } from './event-text.ts'
import type { EventBatch } from './read-events.ts'
import { RECHECK_INTERVAL, readNext, type StreamReader } from './reader.ts'

/** Media type of server-sent events (HTML standard, "Server-sent events"). */
export const EVENT_STREAM = 'text/event-stream'

/** Milliseconds after which clients reconnect. */
const RETRY = 1_000

/**
 * The events after the position as server-sent events, without an end. Nothing is read before the client has taken what
 * was sent. Ends when the reader may no longer read, when the service stops, and once users have changed the models: the
 * client reconnects and goes on with the new ones, and the old ones can be forgotten.
 */
export function eventSource(reader: StreamReader, after: number): AsyncIterable<Uint8Array> {
  const ending = new AbortController()
  const messages = messagesOf(reader, after, ending.signal)
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => messages.next(),
      return: async () => {
        // The generator may be waiting for events.
        ending.abort()
        return await messages.return(undefined)
      },
    }),
  }
}

async function* messagesOf(
  reader: StreamReader,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, undefined> {
  const stream = eventStreamOf(reader.service)
  let position = after
  yield encoded(`retry: ${RETRY}\n\n`)
  while (!(signal.aborted || stream.isClosed || isReplaced(reader.service))) {
    const batch = await readUnlessRefused(reader, position)
    if (!batch) return
    position = batch.position
    if (batch.events.length > 0) yield encoded(batch.events.map(messageOf).join(''))
    else if (batch.isEnd) {
      await stream.waitBeyond(position, { milliseconds: RECHECK_INTERVAL, signal })
      if (isQuiet(stream, position)) yield encoded(heartbeat(position))
    }
  }
}

const isReplaced = (service: Service): boolean =>
  (service.latest ?? service).registry !== currentService(service).registry

const isQuiet = (stream: EventStream, position: number): boolean => !stream.isClosed && stream.position <= position

/** The next batch; undefined if the reader may no longer read, in which case its next request will report why. */
async function readUnlessRefused(reader: StreamReader, position: number): Promise<EventBatch | undefined> {
  try {
    return await readNext(reader, position)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Line breaks between the values of a JSON text would end the message's line. */
const messageOf = ({ position, text }: EventText): string =>
  `id: ${position}\ndata: ${text.replace(/[\r\n]+/g, ' ')}\n\n`

/** Without data, the client does not see an event; the id moves the position from which it resumes. */
const heartbeat = (position: number): string => `: heartbeat\nid: ${position}\n\n`

const encoder = new TextEncoder()
const encoded = (text: string): Uint8Array => encoder.encode(text)
