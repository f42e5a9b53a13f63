import { createHash } from 'node:crypto'
import { ApiError } from '../../base/errors.ts'
import type { Actor } from '../../identity/actor.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { IdempotentWrite } from '../../write/context.ts'
import type { ApiRequest } from '../api-request.ts'
import { bodyText, type HttpResponse, type WholeResponse, wholeResponse } from '../response.ts'
import {
  findResponse,
  type KeyedRequest,
  lockKey,
  STORED_FOR,
  type StoredResponse,
  storeResponse,
} from './stored-responses.ts'

const LONGEST_KEY = 255

/**
 * The key of a POST that may be repeated; undefined for other requests. Throws `malformed` for a key that is empty or
 * too long.
 */
export function idempotencyKeyOf(
  { method, headers }: Pick<ApiRequest, 'method' | 'headers'>,
  actor: Actor,
): string | undefined {
  const header = headers['idempotency-key']
  if (header === undefined || method !== 'POST' || actor.kind !== 'user') return undefined
  // RFC 8941 puts a string in quotes; most clients send none.
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (key !== '' && key.length <= LONGEST_KEY) return key
  const detail = `An Idempotency-Key must have 1 to ${LONGEST_KEY} characters.`
  throw new ApiError({ kind: 'malformed', detail })
}

/**
 * The response of `handle`, or the stored one if the same request has been carried out with the key. Throws `keyReused`
 * if a different request has used the key.
 */
export async function respondOnce(
  request: ApiRequest,
  key: string,
  user: number,
  handle: (request: ApiRequest) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { service } = request
  // The same plan may be tried in a branch and then carried out on main.
  const place = `${service.branch?.id ?? ''} `
  const keyed: KeyedRequest = { user, key: place + key, fingerprint: await fingerprintOf(request) }
  const since = new Date(service.clock.now() - STORED_FOR)
  const stored = await findResponse(service.database, keyed, since)
  if (stored) return replayed(keyed, stored)
  const write = new KeyedWrite(keyed, since, () => new Date(service.clock.now()))
  try {
    const response = await handle({ ...request, idempotentWrite: write })
    if (!write.isRecorded && response.status < 400) {
      // Endpoints whose writes do not concern objects, such as the start of a job.
      await write.record(service.database, await wholeResponse(response))
    }
    return response
  } catch (error) {
    if (error instanceof AlreadyDone) return replayed(keyed, error.stored)
    throw error
  }
}

/** Another request with the key was carried out while this one waited. */
class AlreadyDone extends Error {
  readonly stored: StoredResponse

  constructor(stored: StoredResponse) {
    super('The request has been carried out already')
    this.stored = stored
  }
}

class KeyedWrite implements IdempotentWrite {
  isRecorded = false
  readonly #request: KeyedRequest
  readonly #since: Date
  readonly #now: () => Date

  constructor(request: KeyedRequest, since: Date, now: () => Date) {
    this.#request = request
    this.#since = since
    this.#now = now
  }

  async claim(transaction: Queryable): Promise<void> {
    await lockKey(transaction, this.#request)
    const stored = await findResponse(transaction, this.#request, this.#since)
    if (stored) throw new AlreadyDone(stored)
  }

  async record(queryable: Queryable, response: unknown): Promise<void> {
    // The writes of endpoints return their responses.
    const { status, headers, ...content } = response as WholeResponse
    const body = content.body === undefined ? {} : { body: bodyText(content as WholeResponse) }
    const result = { status, ...body, ...(headers && { headers }) }
    await storeResponse(queryable, this.#request, result, this.#now())
    this.isRecorded = true
  }
}

function replayed({ fingerprint }: KeyedRequest, { fingerprint: first, response }: StoredResponse): WholeResponse {
  if (fingerprint !== first) {
    const detail = 'This Idempotency-Key was used for another request.'
    throw new ApiError({ kind: 'keyReused', detail })
  }
  return { ...response, headers: { ...response.headers, 'Idempotent-Replayed': 'true' } }
}

/** Digest of the request's address, API version and body with its files. Throws if the body cannot be read. */
async function fingerprintOf({ method, url, body, service }: ApiRequest): Promise<string> {
  const text = JSON.stringify(
    [method, url.pathname, url.search, service.registry.version, await body.read('exact')],
    (_, value) => (value instanceof UploadedFile ? [value.filename, digestOf(value.bytes)] : value),
  )
  return digestOf(text)
}

const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
