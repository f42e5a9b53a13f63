import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request that the receiver has received. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A server on this machine that takes the place of the receiver of the recorded webhooks. */
export interface Receiver {
  /** `127.0.0.1:12345` */
  readonly host: string
  /**
   * Waits until `count` new requests have arrived, for at most `patience` milliseconds, and takes all that have
   * arrived.
   */
  take(count: number, patience: number): Promise<readonly Received[]>
  close(): void
}

/** Status of the response to requests for a path; other paths get 200. */
const STATUSES: Readonly<Record<string, number>> = { '/teapot': 418 }
const INTERVAL = 5

/** Starts the receiver on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      received.push({ method, path, headers, body: Buffer.concat(chunks) })
      response.statusCode = STATUSES[path] ?? 200
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    host: `127.0.0.1:${port}`,
    take: async (count, patience) => {
      const deadline = Date.now() + patience
      while (received.length < count && Date.now() < deadline) await sleep(INTERVAL)
      // The ids of deliveries are in the order of the events.
      return received.splice(0).sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const idOf = ({ headers }: Received): string => String(headers['x-hook-delivery'])
