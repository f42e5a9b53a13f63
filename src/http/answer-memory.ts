import { createHash } from 'node:crypto'
import type { Actor } from '../auth/actor.ts'
import { withBasis } from '../query/basis.ts'
import { keptOf } from '../query/kept.ts'
import type { ApiRequest } from './api-request.ts'
import { type HttpResponse, isWhole } from './response.ts'

/** What an entry takes besides its body and its key, about. */
const ENTRY_BYTES = 500

const answersOf = keptOf<HttpResponse>('answers')

/** The answer to a read that was kept for the same sender and request, if it still holds, or what `make` brings. */
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
  // Parts are made as they are sent, and gone then.
  if (!basis || !isWhole(body)) return result
  const answer = inBytes(result)
  answers.keep(key, answer, basis, ENTRY_BYTES + 2 * key.length + body.length)
  return answer
}

/** Everything that an answer depends on besides the data. */
const keyOf = ({ actor, url, headers }: ApiRequest): string =>
  `${identityOf(actor)}\n${headers['if-none-match'] ?? ''}\n${url.href}`

const identities = new WeakMap<Actor, string>()

/** What is known of an actor, permissions and all, as a short text. */
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

/** Bytes, which are sent as they are however often. */
const inBytes = (answer: HttpResponse): HttpResponse =>
  typeof answer.body === 'string' ? { ...answer, body: Buffer.from(answer.body) } : answer
