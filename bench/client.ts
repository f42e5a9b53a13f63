import { Agent, request } from 'node:http'
import { SERVER_TOKEN } from '../test/support/server.ts'

export interface Response {
  readonly milliseconds: number
  readonly body: string
}

/** One connection that is kept alive, over which one request follows another. */
export interface Client {
  readonly url: string
  /** Throws for a status of 400 or more. */
  send(method: string, path: string, body?: unknown): Promise<Response>
  close(): void
}

export function openClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    new Promise((resolve, reject) => {
      const data = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        authorization: `Token ${SERVER_TOKEN}`,
        ...(data !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(data),
        }),
      }
      const start = performance.now()
      const sent = request(new URL(path, url), { agent, method, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const milliseconds = performance.now() - start
          const text = Buffer.concat(parts).toString()
          const { statusCode = 0 } = response
          if (statusCode < 400) resolve({ milliseconds, body: text })
          else reject(new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 500)}`))
        })
      })
      sent.on('error', reject)
      sent.end(data)
    })
  return { url, send, close: () => agent.destroy() }
}
