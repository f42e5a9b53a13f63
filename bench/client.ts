import { Agent, request as open } from 'node:http'
import { SERVER_TOKEN, type ServerProcess } from '../test/support/server.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * One request over a connection that stays open, its body read to the end and thrown away: as little
 * work on the client's side as there can be. Throws for an answer of 400 or above.
 */
export function request(
  server: ServerProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = open(server.url + path, {
      agent,
      method,
      headers: {
        authorization: `Token ${SERVER_TOKEN}`,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      },
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      answer.resume()
      answer.on('error', reject)
      answer.on('end', () => {
        const { statusCode = 0 } = answer
        if (statusCode < 400) resolve()
        else reject(new Error(`${method} ${path}: ${statusCode}`))
      })
    })
    sent.end(text)
  })
}
