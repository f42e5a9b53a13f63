import { createHash } from 'node:crypto'
import type { Actor } from '../auth/actor.ts'
import type { Service } from '../query/service.ts'
import { modelsNamedIn } from '../query/statement-models.ts'
import { type Footprint, withFootprint } from '../storage/footprint.ts'
import type { Answer } from './answer.ts'
import type { ApiRequest } from './api-request.ts'

interface Kept {
  readonly answer: Answer
  /** Names of the models that it was made from. */
  readonly models: readonly string[]
  /** Moment of the memory before anything was read. */
  readonly since: number
  readonly bytes: number
}

/** Share of the memory that one answer may take. */
const LARGEST_PART = 8
/** What an entry takes besides its body and its key, about. */
const ENTRY_BYTES = 500
/** Statements whose outcome changes by itself. */
const VOLATILE = /\b(now|random|clock_timestamp|statement_timestamp|nextval|current_\w+|pg_\w+)\b/i
/** Models that the configuration in force is made of. */
const ALWAYS: readonly string[] = ['core.configrevision']

/**
 * Whole answers to reads, by who asks and for what. Each is kept with the models whose tables its
 * statements named, and is good for as long as none of them has changed; those asked for longest ago
 * go first when `limit` bytes are taken.
 */
export class AnswerMemory {
  readonly #service: Service
  readonly #limit: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(service: Service, limit: number) {
    this.#service = service
    this.#limit = limit
  }

  /** The kept answer to the request, or what `make` brings. */
  async answer(request: ApiRequest, make: () => Promise<Answer>): Promise<Answer> {
    const key = keyOf(request)
    const kept = this.#find(key)
    if (kept) return kept
    const { memory } = this.#service
    const since = memory.moment
    const { result, footprint } = await withFootprint(make)
    const models = this.#modelsOf(footprint)
    if (!models || !memory.isUnchanged(models, since)) return result
    const answer = inBytes(result)
    this.#keep(key, { answer, models, since, bytes: sizeOf(key, answer) })
    return answer
  }

  #find(key: string): Answer | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    this.#drop(key, kept)
    if (!this.#service.memory.isUnchanged(kept.models, kept.since)) return undefined
    // Taken out and put in again: the map's first key is then the one that was asked for longest ago.
    this.#put(key, kept)
    return kept.answer
  }

  #keep(key: string, entry: Kept): void {
    if (entry.bytes > this.#limit / LARGEST_PART) return
    const before = this.#kept.get(key)
    if (before) this.#drop(key, before)
    this.#put(key, entry)
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#limit) break
      this.#drop(oldest, kept)
    }
  }

  #put(key: string, entry: Kept): void {
    this.#kept.set(key, entry)
    this.#bytes += entry.bytes
  }

  #drop(key: string, entry: Kept): void {
    this.#kept.delete(key)
    this.#bytes -= entry.bytes
  }

  /** Undefined where the answer may change although no table does. */
  #modelsOf({ statements, models, isRepeatable }: Footprint): readonly string[] | undefined {
    if (!isRepeatable) return undefined
    const all = new Set([...ALWAYS, ...models])
    for (const statement of statements) {
      if (VOLATILE.test(statement)) return undefined
      for (const model of modelsNamedIn(this.#service.registry, statement)) all.add(model)
    }
    return [...all]
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

const sizeOf = (key: string, { body }: Answer): number =>
  ENTRY_BYTES + 2 * key.length + (body?.length ?? 0)
