import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

/** A message of a stream of server-sent events. */
export interface Message {
  readonly id: string
  /** Undefined if the message only sets the id. */
  readonly data: string | undefined
}

/** A client of a stream of server-sent events. */
export interface EventReader {
  readonly status: number
  /** The next message with data; undefined at the end of the stream. Rejects when the connection breaks. */
  next(): Promise<Message | undefined>
  /** Closes the connection. */
  close(): void
}

/** Connects to the stream on a separate connection; resolves when the response has begun. */
export async function readEventSource(url: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
  const request = get(url, {
    agent: false,
    headers: { accept: 'text/event-stream', ...headers },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const messages = messagesOf(response)
  return {
    status: response.statusCode ?? 0,
    next: async () => {
      for await (const message of { [Symbol.asyncIterator]: () => withoutReturn(messages) }) {
        if (message.data !== undefined) return message
      }
      return undefined
    },
    close: () => void response.destroy(),
  }
}

/** The iterator, which stays open when a loop over it ends. */
const withoutReturn = <T>(iterator: AsyncIterator<T>): AsyncIterator<T> => ({
  next: () => iterator.next(),
})

async function* messagesOf(response: IncomingMessage): AsyncGenerator<Message> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parseMessage(block)
  }
}

function parseMessage(block: string): Message {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [name = '', ...rest] = line.split(': ')
    fields.set(name, rest.join(': '))
  }
  return { id: fields.get('id') ?? '', data: fields.get('data') }
}
