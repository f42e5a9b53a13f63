import { createHash } from 'node:crypto'
import type { Actor } from '../auth/actor.ts'
import { withBasis } from '../query/basis.ts'
import { Kept } from '../query/kept.ts'
import type { Service } from '../query/service.ts'
import { type Answer, isWhole } from './answer.ts'
import type { ApiRequest } from './api-request.ts'

/** What an entry takes besides its body and its key, about. */
const ENTRY_BYTES = 500

/** Whole answers to reads, by who asks and for what, each for as long as its basis holds. */
export class AnswerMemory {
  readonly #service: Service
  readonly #kept: Kept<Answer>

  /** `limit`: bytes of answers that are kept at most. */
  constructor(service: Service, limit: number) {
    this.#service = service
    this.#kept = new Kept(service, limit)
  }

  /** The kept answer to the request, or what `make` brings. */
  async answer(request: ApiRequest, make: () => Promise<Answer>): Promise<Answer> {
    const key = keyOf(request)
    const known = this.#kept.find(key)
    if (known) return known
    const { result, basis } = await withBasis(this.#service, make)
    const { body = '' } = result
    // Parts are made as they are sent, and gone then.
    if (!basis || !isWhole(body)) return result
    const answer = inBytes(result)
    this.#kept.keep(key, answer, basis, ENTRY_BYTES + 2 * key.length + body.length)
    return answer
  }
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
const inBytes = (answer: Answer): Answer =>
  typeof answer.body === 'string' ? { ...answer, body: Buffer.from(answer.body) } : answer
