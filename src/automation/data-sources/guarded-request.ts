import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { ClosedAddress, guardedLookup, refuseClosedHost } from '../../schema/net/guarded-lookup.ts'
import { parseInterface } from '../../schema/net/ip.ts'
import { SyncError } from './source-file.ts'

/** A request to a server that a user has named. */
interface OutboundRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  /** Networks that may be reached in addition to public addresses. */
  readonly networks: readonly string[]
  readonly signal: AbortSignal
}

export interface OutboundResponse {
  /** The URL that responded, after redirects. */
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Maximum time in milliseconds without data from the server. */
const SILENCE = 30_000
const MOST_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * Sends a request. Every address is checked after the name has been resolved, so no name can lead into a network that
 * is not allowed. Redirects of GET requests are followed, without credentials to another server. Throws SyncError if
 * the server is not allowed or does not respond.
 */
export async function sendGuarded(request: OutboundRequest): Promise<OutboundResponse> {
  let current = request
  for (let redirects = 0; ; redirects += 1) {
    const message = await sendOnce(current)
    const location = message.headers.location
    const isRedirect = REDIRECTS.has(message.statusCode ?? 0) && location !== undefined
    if (!isRedirect || current.method !== 'GET') return responseOf(current.url, message)
    message.destroy()
    if (redirects === MOST_REDIRECTS) throw new SyncError(`${hostOf(request.url)} redirects too often.`)
    current = redirected(current, location)
  }
}

function redirected(request: OutboundRequest, location: string): OutboundRequest {
  const from = new URL(request.url)
  const to = URL.parse(location, from.href)
  if (to === null || !/^https?:$/.test(to.protocol)) {
    throw new SyncError(`${from.host} redirects to ${location}, which is not an HTTP URL.`)
  }
  if (to.origin === from.origin) return { ...request, url: to.href }
  const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'authorization')
  return { ...request, url: to.href, headers: Object.fromEntries(headers) }
}

function sendOnce({ method, url, headers, body, networks, signal }: OutboundRequest): Promise<IncomingMessage> {
  const allowed = networks.flatMap((network) => parseInterface(network) ?? [])
  const { host, protocol } = new URL(url)
  return new Promise((resolve, reject) => {
    try {
      refuseClosedHost(new URL(url), allowed)
    } catch (error) {
      return reject(connectionError(host, error))
    }
    const send = protocol === 'https:' ? secureRequest : plainRequest
    const outgoing = send(url, {
      method,
      headers: { ...headers, ...(body && { 'content-length': body.length }) },
      lookup: guardedLookup(allowed),
      // Connections are not reused, so that each one is checked.
      agent: false,
      timeout: SILENCE,
      signal,
    })
    outgoing.once('timeout', () =>
      outgoing.destroy(new SyncError(`${host} has not answered for ${SILENCE / 1000} seconds.`)),
    )
    outgoing.once('error', (error) => reject(connectionError(host, error)))
    outgoing.once('response', resolve)
    outgoing.end(body)
  })
}

const notAllowed = ({ place }: ClosedAddress): SyncError =>
  new SyncError(
    `${place} is a private, loopback or reserved address, which DATA_SOURCE_ALLOWED_NETWORKS does not name.`,
  )

function connectionError(host: string, error: unknown): Error {
  if (!(error instanceof Error)) return new SyncError(`${host} cannot be reached.`)
  if (error instanceof ClosedAddress) return notAllowed(error)
  if (error instanceof SyncError || error.name === 'AbortError') return error
  return new SyncError(`${host} cannot be reached: ${error.message}`)
}

const hostOf = (url: string): string => new URL(url).host

function responseOf(url: string, message: IncomingMessage): OutboundResponse {
  const headers = Object.entries(message.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return {
    url,
    status: message.statusCode ?? 0,
    statusText: message.statusMessage ?? '',
    headers: Object.fromEntries(headers),
    body: message,
  }
}

/** The body's chunks. Throws SyncError beyond the limit, in bytes. */
export async function* limitedBody(
  { body, url }: OutboundResponse,
  limit: number,
  reason: string,
): AsyncIterableIterator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new SyncError(`${hostOf(url)} sends more than ${limit} bytes: ${reason}.`)
    yield chunk
  }
}

/** The whole body. Throws SyncError beyond the limit, in bytes. */
export async function readBody(response: OutboundResponse, limit: number, reason: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of limitedBody(response, limit, reason)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
