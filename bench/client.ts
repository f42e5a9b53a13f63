import { Agent, request as open } from 'node:http'
import { request as openSecure, Agent as SecureAgent } from 'node:https'

/** A server of the API and the key to it. */
export interface Access {
  /** Without a slash at the end. */
  readonly url: string
  readonly token: string
}

export interface Reply {
  readonly status: number
  readonly body: Buffer
  /** From sending to the last byte. */
  readonly milliseconds: number
}

const agent = new Agent({ keepAlive: true })
const secureAgent = new SecureAgent({ keepAlive: true })

/** A token alone, or with its scheme before it. */
export const authorization = (token: string): string =>
  token.includes(' ') ? token : `Token ${token}`

/** One request over a connection that stays open. Throws for an answer of 400 or above. */
export function send(
  { url, token }: Access,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const isSecure = url.startsWith('https:')
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? openSecure : open)(url + path, {
      agent: isSecure ? secureAgent : agent,
      method,
      headers: {
        authorization: authorization(token),
        accept: 'application/json',
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      },
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const milliseconds = performance.now() - start
        const { statusCode: status = 0 } = answer
        const whole = Buffer.concat(chunks)
        if (status < 400) resolve({ status, body: whole, milliseconds })
        else reject(new Error(`${method} ${path}: ${status} ${whole.toString().slice(0, 500)}`))
      })
    })
    sent.end(text)
  })
}

/** The JSON of an answer, for looking into it. */
export async function ask(
  access: Access,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const { body: bytes } = await send(access, method, path, body)
  return bytes.length === 0 ? undefined : JSON.parse(bytes.toString())
}
