import { type IncomingHttpHeaders, Agent as PlainAgent, request as plain } from 'node:http'
import { Agent as SecureAgent, request as secure } from 'node:https'
import type { Json } from './json.ts'

/** Header names and values to send; null removes a default header. */
export type Headers = Readonly<Record<string, string | null>>

export interface Request {
  readonly method: string
  /** Relative to the server's URL, or starting with it. */
  readonly path: string
  readonly headers?: Headers
  readonly body?: Uint8Array | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** A client that reuses its connections. `send` throws an Error that describes a failed connection. */
export interface Client {
  /** The server's URL without a trailing slash. */
  readonly base: string
  send(request: Request): Promise<Answer>
  close(): void
}

export interface ClientOptions {
  readonly base: string
  readonly connections: number
  /** Headers of every request, unless the request sets or removes them. */
  readonly headers: Readonly<Record<string, string>>
  /** Timeout of a request in milliseconds. */
  readonly timeout?: number
}

/** After this many consecutive requests without a response, no more are sent. */
const GIVE_UP = 50

/** A client for one server. It connects at the first request. */
export function createClient({ base, connections, headers, timeout = 60_000 }: ClientOptions): Client {
  const address = base.replace(/\/+$/, '')
  const url = new URL(address)
  const isSecure = url.protocol === 'https:'
  const limits = { keepAlive: true, maxSockets: connections }
  const agent = isSecure ? new SecureAgent(limits) : new PlainAgent(limits)
  const prefix = url.pathname.replace(/\/+$/, '')

  const once = (request: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const path = request.path.startsWith(address) ? request.path.slice(address.length) : request.path
      const outgoing = (isSecure ? secure : plain)({
        agent,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        method: request.method,
        path: prefix + percentEncoded(path),
        headers: mergedHeaders(headers, request),
        timeout,
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${timeout} ms`)))
      outgoing.on('error', (error) => {
        reject(Object.assign(error, { reusedSocket: outgoing.reusedSocket }))
      })
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          // On the client's side, a response always has a status.
          const status = incoming.statusCode ?? 0
          resolve({ status, headers: incoming.headers, bytes: Buffer.concat(chunks) })
        })
      })
      outgoing.end(request.body)
    })

  // A server that hangs must not cost a timeout for each of many thousand requests.
  let unanswered = 0
  return {
    base: address,
    send: async (request) => {
      if (unanswered >= GIVE_UP) throw new Error('the server no longer answers')
      try {
        // A server may close an idle connection while a request is sent: retries once, on a new connection.
        const answer = await once(request).catch((error: unknown) => {
          if (isStaleConnection(error)) return once(request)
          throw error
        })
        unanswered = 0
        return answer
      } catch (error) {
        unanswered++
        throw error
      }
    },
    close: () => agent.destroy(),
  }
}

const isStaleConnection = (error: unknown): boolean =>
  error instanceof Error &&
  'reusedSocket' in error &&
  error.reusedSocket === true &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'EPIPE')

function mergedHeaders(defaults: Readonly<Record<string, string>>, request: Request): Record<string, string> {
  const merged = new Map<string, [name: string, value: string | null]>()
  for (const [name, value] of [...Object.entries(defaults), ...Object.entries(request.headers ?? {})]) {
    merged.set(name.toLowerCase(), [name, value])
  }
  if (request.body !== undefined) {
    merged.set('content-length', ['Content-Length', String(request.body.byteLength)])
  }
  const sent: Record<string, string> = {}
  for (const [name, value] of merged.values()) if (value !== null) sent[name] = value
  return sent
}

/** The path with all reserved characters encoded; existing escapes stay. */
export function percentEncoded(path: string): string {
  return path.replace(/[^A-Za-z0-9/?&=%:;,+[\]@!$'()*~._-]/gu, (character) => encodeURIComponent(character))
}

/** The media type of a response, in lower case and without parameters; empty without one. */
export function mediaType(answer: Answer): string {
  return (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** One header's value; names are case-insensitive. Repeated headers are joined by commas. */
export function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The body as text; RFC 2616's Latin-1 for a text without an encoding, as the recorder read it. */
export function textOf(answer: Answer): string {
  const type = answer.headers['content-type'] ?? ''
  const isLatin = /^text\//i.test(type) && !/charset=/i.test(type)
  return answer.bytes.toString(isLatin ? 'latin1' : 'utf8')
}

/** The body as JSON; undefined for another media type or invalid JSON. */
export function jsonOf(answer: Answer, read = (text: string): string => text): Json | undefined {
  if (!mediaType(answer).endsWith('json') || answer.bytes.length === 0) return undefined
  try {
    const value: Json = JSON.parse(read(answer.bytes.toString('utf8')))
    return value
  } catch {
    return undefined
  }
}
