import { createHash } from 'node:crypto'
import type { Actor } from '../auth/actor.ts'
import { withBasis } from '../query/basis.ts'
import { keptOf } from '../query/kept.ts'
import type { ApiRequest } from './api-request.ts'
import { type HttpResponse, isWhole } from './response.ts'

/** Approximate bytes of an entry besides its body and its key. */
const ENTRY_BYTES = 500

const answersOf = keptOf<HttpResponse>('answers')

/**
 * The cached response to a read by the same sender, while it is fresh; otherwise the result of `make`, which is then
 * cached.
 */
export async function rememberedAnswer(
  request: ApiRequest,
  make: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { service } = request
  const answers = answersOf(service)
  const key = keyOf(request)
  const known = answers.find(key)
  if (known) return known
  const { result, basis } = await withBasis(service, make)
  const { body = '' } = result
  // Streamed bodies are generated while they are sent, so they cannot be cached.
  if (!basis || !isWhole(body)) return result
  const answer = inBytes(result)
  answers.keep(key, answer, basis, ENTRY_BYTES + 2 * key.length + body.length)
  return answer
}

/** Everything that a response depends on besides the data. */
const keyOf = ({ actor, url, headers }: ApiRequest): string =>
  `${identityOf(actor)}\n${headers['if-none-match'] ?? ''}\n${url.href}`

const identities = new WeakMap<Actor, string>()

/** An actor with all its permissions as a short text. */
function identityOf(actor: Actor): string {
  const known = identities.get(actor)
  if (known !== undefined) return known
  const text = JSON.stringify(actor, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  )
  const identity = createHash('sha256').update(text).digest('base64')
  identities.set(actor, identity)
  return identity
}

/** The response with its body as bytes, so that a cached body is not encoded at every use. */
const inBytes = (answer: HttpResponse): HttpResponse =>
  typeof answer.body === 'string' ? { ...answer, body: Buffer.from(answer.body) } : answer
