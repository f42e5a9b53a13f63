import { setTimeout as wait } from 'node:timers/promises'
import { Turns } from '../../changes/background/turns.ts'
import { type Json, parseJson } from '../../schema/json.ts'
import { authorizationFor } from './address.ts'
import { SourceError } from './source-error.ts'

export interface ClientOptions {
  /** Maximum simultaneous requests. */
  readonly parallel: number
  /** Milliseconds before the second attempt; each further one waits twice as long. */
  readonly patience?: number
}

interface SentRequest {
  readonly path: string
  readonly method?: 'GET' | 'OPTIONS'
  /** Milliseconds. */
  readonly timeout?: number
}

/** A response that is neither a refusal nor a temporary failure. */
interface Reply {
  readonly status: number
  readonly bytes: Buffer
}

const MOST_TRIES = 6
/** For what an import can do without. */
export const FEW_TRIES = 2
const NOTHING = Buffer.alloc(0)
const PATIENCE = 500
const LONGEST_WAIT = 30_000
/** A service that demands a longer wait does not want its data to be read. */
const LONGEST_RETRY_AFTER = 600_000
/** Milliseconds: a slow service may need long for a page of a thousand objects. */
const TIMEOUT = 180_000

/**
 * Reads from a running service. Temporary failures (429, 5xx, broken connections) are retried; all others throw
 * SourceError. The token is sent to this service only, never to the target of a redirect, and appears in no message.
 */
export class Client {
  readonly #address: string
  readonly #authorization: string
  readonly #patience: number
  readonly #turns: Turns
  readonly #stopped = new AbortController()
  /** No request is sent before this time, in milliseconds since 1970: a 429 delays all of them. */
  #notBefore = 0

  /** `address` is a result of parseAddress. */
  constructor(address: string, token: string, { parallel, patience = PATIENCE }: ClientOptions) {
    this.#address = address
    this.#authorization = authorizationFor(token)
    this.#patience = patience
    this.#turns = new Turns(parallel)
  }

  /**
   * The document at a path; undefined if there is none. `tries`: number of attempts, few for the first contact.
   * `timeout`: milliseconds.
   */
  async json(path: string, { tries = MOST_TRIES, timeout = TIMEOUT } = {}): Promise<Json | undefined> {
    const { status, bytes } = await this.#turns.take(() => this.#send({ path, timeout }, tries))
    if (status === 404) return undefined
    if (status === 401 || status === 403) {
      const detail = detailOf(bytes)
      throw new SourceError(`${this.#address} refuses the token for ${path}${detail}`)
    }
    if (status >= 300 && status < 400) {
      throw new SourceError(`${this.#address} redirects to another address: use that one.`)
    }
    const document = status === 200 ? parse(bytes) : undefined
    if (document === undefined) {
      const what = status === 200 ? 'content that is not JSON' : `status ${status}`
      throw new SourceError(
        `${this.#address} responds to ${path} with ${what}. It has no such API, or the address is wrong.`,
      )
    }
    return document
  }

  /** What an endpoint says of itself; undefined if it does not, or if it fails. */
  async options(path: string): Promise<Json | undefined> {
    const send = () => this.#send({ path, method: 'OPTIONS' }, FEW_TRIES)
    const { status, bytes } = await this.#turns.take(send).catch((error: unknown) => {
      if (error instanceof SourceError && error.status !== undefined) return { status: error.status, bytes: NOTHING }
      throw error
    })
    return status === 200 ? parse(bytes) : undefined
  }

  /** Content of a file; undefined if it is not available. */
  async file(path: string): Promise<Buffer | undefined> {
    const { status, bytes } = await this.#turns.take(() => this.#send({ path }, MOST_TRIES))
    return status === 200 ? bytes : undefined
  }

  /** Aborts all requests, running or waiting. */
  stop(): void {
    this.#stopped.abort(new SourceError(`Reading from ${this.#address} was given up.`))
  }

  async #send(request: SentRequest, tries: number): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#wait(this.#notBefore - Date.now())
      const { reply, failure, status, retryAfter } = await this.#try(request)
      if (reply) return reply
      if (attempt >= tries) {
        throw new SourceError(
          `${this.#address} does not respond to ${request.path} (${failure}, ${attempt} attempts).`,
          status,
        )
      }
      const backoff = Math.min(this.#patience * 2 ** (attempt - 1), LONGEST_WAIT)
      if (retryAfter !== undefined) {
        this.#notBefore = Date.now() + Math.min(retryAfter, LONGEST_RETRY_AFTER)
      }
      // Spread, so that the requests do not all arrive at once again.
      await this.#wait(backoff * (0.5 + Math.random() / 2))
    }
  }

  async #wait(milliseconds: number): Promise<void> {
    const { signal } = this.#stopped
    if (milliseconds > 0) await wait(milliseconds, undefined, { signal }).catch(() => undefined)
    signal.throwIfAborted()
  }

  async #try({ path, method = 'GET', timeout = TIMEOUT }: SentRequest): Promise<{
    readonly reply?: Reply
    readonly failure?: string
    readonly status?: number
    readonly retryAfter?: number | undefined
  }> {
    try {
      const response = await fetch(this.#address + path, {
        method,
        headers: { Authorization: this.#authorization, Accept: 'application/json, */*;q=0.5' },
        redirect: 'manual',
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeout)]),
      })
      const { status, headers } = response
      const bytes = Buffer.from(await response.arrayBuffer())
      if (status !== 429 && status < 500) return { reply: { status, bytes } }
      return { failure: `status ${status}`, status, retryAfter: parseRetryAfter(headers) }
    } catch (error) {
      this.#stopped.signal.throwIfAborted()
      const permanent = permanentFailure(error, this.#address)
      if (permanent) throw permanent
      return { failure: describeFailure(error) }
    }
  }
}

/** Milliseconds; the header holds seconds or a date. */
function parseRetryAfter(headers: Headers): number | undefined {
  const header = headers.get('retry-after')
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function parse(bytes: Buffer): Json | undefined {
  try {
    return parseJson(bytes.toString()) as Json
  } catch {
    return undefined
  }
}

/** The error message of the service. */
function detailOf(bytes: Buffer): string {
  const document = parse(bytes)
  const isObject = typeof document === 'object' && document !== null && 'detail' in document
  return isObject && typeof document.detail === 'string' ? `: ${document.detail}` : '.'
}

/** OpenSSL's and Node's codes for certificates that are not trusted. */
const UNTRUSTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** The reason why a request cannot reach the service, as a sentence; undefined if another attempt may succeed. */
function permanentFailure(error: unknown, address: string): SourceError | undefined {
  const code = codeOf(error)
  if (code === 'ENOTFOUND') {
    return new SourceError(`The host name in ${address} cannot be resolved.`)
  }
  if (UNTRUSTED.test(code)) {
    return new SourceError(
      `The certificate of ${address} is not trusted (${code}); name the file of its authority in NODE_EXTRA_CA_CERTS.`,
    )
  }
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) {
    return new SourceError(`${address} does not speak TLS as expected (${code}).`)
  }
  return undefined
}

/** The reason why a request failed after all attempts, in few words. */
function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response in time'
  return codeOf(error) || (error instanceof Error ? error.message : String(error))
}

/** fetch puts the reason into the causes of its error; with several addresses, into a list. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return codeOf(inner)
}
