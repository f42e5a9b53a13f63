import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that a receiver received. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that stores the requests that it receives. */
export interface Receiver {
  readonly url: string
  readonly received: readonly ReceivedRequest[]
}

type Respond = (response: ServerResponse, request: ReceivedRequest, count: number) => void

/** Answers with the status that `statusOf` returns for the n-th request, counted from 1. */
export const answering =
  (statusOf: (count: number, request: ReceivedRequest) => number): Respond =>
  (response, request, count) => {
    response.statusCode = statusOf(count, request)
    response.end(`answer ${count}`)
  }

/** A receiver of webhooks for one test. */
export async function receiverOfTest(respond?: Respond): Promise<Receiver> {
  const { close, ...receiver } = await startReceiver(respond)
  onTestFinished(close)
  return receiver
}

/** A receiver of webhooks, until it is closed. */
export async function startReceiver(respond: Respond = answering(() => 200)): Promise<Receiver & { close(): void }> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const body = Buffer.concat(chunks).toString('utf8')
      const got = { method, path, headers, body }
      received.push(got)
      respond(response, got, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
