import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { trackDependencies } from '../db/cache/read-set.ts'
import type { Actor } from '../identity/actor.ts'
import { oncePer } from '../schema/once-per.ts'
import type { ApiRequest } from './api-request.ts'
import { type HttpResponse, isWhole } from './response.ts'

/** Approximate bytes of a response besides its body. */
const HEAD_BYTES = 200

/**
 * Number of requests that are remembered to detect repetition, after which their responses are cached: most lists are
 * read only once.
 */
const requestedOnce = new LRUCache<string, true>({ max: 5_000 })

/**
 * The cached response to a read by the same actor, or the one that `respond` returns; cached if it is requested
 * repeatedly. `bodyDigest`: digest of a body that affects the response.
 */
export async function cachedResponse(
  request: ApiRequest,
  respond: () => Promise<HttpResponse>,
  bodyDigest = '',
): Promise<HttpResponse> {
  const { cache } = request.service
  if (!cache.holds()) return await respond()
  const key = `${keyOf(request)}\n${bodyDigest}`
  const cached = cache.find<HttpResponse>(key)
  if (cached) return cached
  if (!requestedOnce.get(key)) {
    requestedOnce.set(key, true)
    return await respond()
  }
  const { result, dependencies } = await trackDependencies(cache.changes, respond)
  const { body = '' } = result
  // Parts are produced while they are sent, so they cannot be cached.
  if (!isWhole(body)) return result
  const response = inBytes(result)
  cache.keep(key, response, dependencies, { bytes: HEAD_BYTES + body.length })
  return response
}

/** Everything that a response depends on besides the data. */
const keyOf = ({ actor, url, headers }: ApiRequest): string =>
  `response ${identityOf(actor)}\n${headers['if-none-match'] ?? ''}\n${url.href}`

/** Digest of an actor with all permissions. */
const identityOf = oncePer((actor: Actor): string => {
  const text = JSON.stringify(actor, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  )
  return createHash('sha256').update(text).digest('base64')
})

/** Bytes, which can be sent any number of times without conversion. */
const inBytes = (response: HttpResponse): HttpResponse =>
  typeof response.body === 'string' ? { ...response, body: Buffer.from(response.body) } : response
