import { readFile } from 'node:fs/promises'
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { codeOf } from '../../base/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { ClosedAddress, guardedLookup, refuseClosedHost } from '../../schema/net/guarded-lookup.ts'
import { type Interface, parseInterface } from '../../schema/net/ip.ts'
import { AttemptFailure } from './attempt-failure.ts'
import type { PreparedRequest } from './webhook-request.ts'

/** Maximum number of idle connections to one receiver. */
const MOST_FREE = 256

/** Maximum number of bytes of a response that are read; the connection is closed if there are more. */
const MOST_READ = 4_096

/** The start of a receiver's response. */
export interface WebhookResponse {
  readonly status: number
  readonly text: string
}

interface SendOptions {
  /** Milliseconds for the whole exchange. */
  readonly timeout: number
  readonly verifiesCertificate: boolean
  /** File of the only trusted certificate authorities, in PEM format. */
  readonly authorityFile: string | null
}

/** Sends requests and reads the start of the responses. */
export interface WebhookClient {
  /** Throws AttemptFailure if there is no response, and the reason of `signal`. */
  send(request: PreparedRequest, options: SendOptions, signal: AbortSignal): Promise<WebhookResponse>
  /** Closes the connections that are open. */
  close(): void
}

/** A client that connects to public addresses and to WEBHOOK_ALLOWED_NETWORKS. It follows no redirects. */
export function createWebhookClient(proxies: ProxySettings & Pick<Settings, 'webhookAllowedNetworks'>): WebhookClient {
  const allowed = proxies.webhookAllowedNetworks.flatMap((network) => parseInterface(network) ?? [])
  const connections = new Connections(proxies)
  const lookup = guardedLookup(allowed)
  return {
    send: async (request, options, signal) => {
      const { url } = request
      refuseHost(url, allowed)
      const isDirect = proxyOf(url, proxies) === undefined
      const tls = url.protocol === 'https:' ? await tlsOptions(options) : {}
      const exchange: RequestOptions & https.RequestOptions = {
        ...tls,
        method: request.method,
        headers: { ...request.headers, 'Content-Length': request.body.length },
        agent: connections.agentFor(url),
        // The name is resolved by the proxy, if there is one.
        ...(isDirect && { lookup }),
      }
      return await withTimeout(options.timeout, signal, (until) =>
        exchangeMessages(url, { ...exchange, signal: until }, request.body),
      )
    },
    close: () => connections.close(),
  }
}

/** Connections that are kept open between requests. A connection serves only requests with the same host and TLS options. */
class Connections {
  readonly #proxies: ProxySettings
  readonly #agents = new Map<string, http.Agent>()

  constructor(proxies: ProxySettings) {
    this.#proxies = proxies
  }

  agentFor(url: URL): http.Agent {
    const proxy = proxyOf(url, this.#proxies)
    const key = `${url.protocol} ${proxy ?? ''}`
    const pooled = this.#agents.get(key)
    if (pooled) return pooled
    const options = {
      keepAlive: true,
      maxFreeSockets: MOST_FREE,
      ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
    }
    const agent = url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options)
    this.#agents.set(key, agent)
    return agent
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }
}

function refuseHost(url: URL, allowed: readonly Interface[]): void {
  try {
    refuseClosedHost(url, allowed)
  } catch (error) {
    throw error instanceof ClosedAddress ? refusalOf(error) : error
  }
}

const refusalOf = ({ place }: ClosedAddress): AttemptFailure =>
  new AttemptFailure(
    `${place} is a private, loopback or reserved address, which WEBHOOK_ALLOWED_NETWORKS does not name.`,
  )

async function tlsOptions({ verifiesCertificate, authorityFile }: SendOptions): Promise<https.RequestOptions> {
  if (!verifiesCertificate) return { rejectUnauthorized: false }
  if (authorityFile === null || authorityFile === '') return {}
  try {
    return { ca: await readFile(authorityFile, 'utf8') }
  } catch {
    throw new AttemptFailure('The file of certificate authorities cannot be read.')
  }
}

async function withTimeout<T>(
  timeout: number,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeout)
  try {
    return await work(AbortSignal.any([signal, limit.signal]))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (limit.signal.aborted) {
      throw new AttemptFailure(`The receiver did not respond within ${timeout / 1_000} s.`)
    }
    throw error instanceof AttemptFailure ? error : new AttemptFailure(messageOf(error))
  } finally {
    clearTimeout(timer)
  }
}

/** `connect ECONNREFUSED 127.0.0.1:80`; several addresses may have failed. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  if (!(error instanceof Error)) return String(error)
  return error instanceof ClosedAddress ? refusalOf(error).message : error.message
}

async function exchangeMessages(url: URL, options: RequestOptions, body: Buffer): Promise<WebhookResponse> {
  const attempt = await sendOnce(url, options, body)
  // The receiver has closed an idle connection, which says nothing about this request.
  const isStale = attempt.error !== undefined && attempt.isReused && isReset(attempt.error)
  const { answer, error } = isStale ? await sendOnce(url, options, body) : attempt
  if (!answer) throw error
  return answer
}

interface Attempt {
  readonly answer?: WebhookResponse
  readonly error?: unknown
  readonly isReused: boolean
}

function sendOnce(url: URL, options: RequestOptions, body: Buffer): Promise<Attempt> {
  return new Promise((resolve) => {
    const client = url.protocol === 'https:' ? https : http
    try {
      const request = client.request(url, options, (response) => {
        readStart(response).then(
          (text) => resolve({ answer: { status: response.statusCode ?? 0, text }, isReused: false }),
          (error: unknown) => resolve({ error, isReused: false }),
        )
      })
      request.on('error', (error) => resolve({ error, isReused: request.reusedSocket }))
      request.end(body)
    } catch (error) {
      // Headers that cannot be sent.
      resolve({ error, isReused: false })
    }
  })
}

const isReset = (error: unknown): boolean => codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE'

/** The start of a body; the rest is not read. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > MOST_READ) break
  }
  return Buffer.concat(chunks).subarray(0, MOST_READ).toString('utf8')
}

/** Proxies for outgoing requests, by the scheme of the target. */
interface ProxySettings {
  readonly httpProxy: string | undefined
  readonly httpsProxy: string | undefined
  /** Hosts that are reached directly: `example.com` with its subdomains, `.example.com`, `host:port`, or `*` for all. */
  readonly noProxy: readonly string[]
}

/** URL of the proxy for requests to `url`; undefined if they are sent directly. */
export function proxyOf(url: URL, { httpProxy, httpsProxy, noProxy }: ProxySettings): string | undefined {
  const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy
  if (proxy === undefined) return undefined
  return noProxy.some((entry) => isExcepted(url, entry.toLowerCase())) ? undefined : proxy
}

function isExcepted({ hostname, port, protocol }: URL, entry: string): boolean {
  if (entry === '*') return true
  const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  const actual = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  if (only !== undefined && only !== actual) return false
  const host = name.replace(/^\*?\./, '')
  return hostname === host || hostname.endsWith(`.${host}`)
}
