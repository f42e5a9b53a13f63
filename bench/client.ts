import { Agent, request as open } from 'node:http'
import { request as openSecure, Agent as SecureAgent } from 'node:https'

/** Address of a server of the API, and a token for it. */
export interface Access {
  /** Without a slash at the end. */
  readonly url: string
  readonly token: string
}

export interface Reply {
  readonly status: number
  readonly body: Buffer
  /** From sending the request to the last byte of the response. */
  readonly milliseconds: number
}

const agent = new Agent({ keepAlive: true })
const secureAgent = new SecureAgent({ keepAlive: true })

/** Value of the Authorization header; `token` may contain its scheme. */
export const authorization = (token: string): string =>
  token.includes(' ') ? token : `Token ${token}`

/** Sends one request over a keep-alive connection. Throws for status 400 and above. */
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

/** JSON body of a response. Throws for status 400 and above. */
export async function ask(
  access: Access,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const { body: bytes } = await send(access, method, path, body)
  return bytes.length === 0 ? undefined : JSON.parse(bytes.toString())
}
