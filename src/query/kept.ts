import type { Service } from '../service.ts'
import { BoundedMap } from '../storage/bounded-map.ts'
import { noteModels } from '../storage/footprint.ts'
import { type Basis, holds, withBasis } from './basis.ts'

interface Entry<Value> {
  readonly value: Value
  readonly basis: Basis
}

/** How the memory of answers (`ANSWER_MEMORY_SIZE`) is divided: whole answers, objects in them, ids and counts. */
const SHARES = { answers: 8 / 16, objects: 7 / 16, numbers: 1 / 16 } as const

/** The part of the memory that a service has for values of that sort. */
export function keptOf<Value>(sort: keyof typeof SHARES): (service: Service) => Kept<Value> {
  const memories = new WeakMap<Service, Kept<Value>>()
  return (service) => {
    const limit = service.settings.answerMemorySize * SHARES[sort]
    const memory = memories.get(service) ?? new Kept<Value>(service, limit)
    memories.set(service, memory)
    return memory
  }
}

/** What was made out of the database, each for as long as its basis holds, in a bounded number of bytes. */
class Kept<Value> {
  readonly #service: Service
  readonly #entries: BoundedMap<string, Entry<Value>>

  /** `limit`: bytes that are kept at most. */
  constructor(service: Service, limit: number) {
    this.#service = service
    this.#entries = new BoundedMap(limit)
  }

  find(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (!holds(this.#service, entry.basis)) {
      this.#entries.delete(key)
      return undefined
    }
    noteModels(entry.basis.models)
    return entry.value
  }

  keep(key: string, value: Value, basis: Basis, bytes: number): void {
    this.#entries.set(key, { value, basis }, bytes)
  }

  /** What is kept under the key, or what `make` brings. */
  async get(
    key: string,
    make: () => Promise<Value>,
    bytesOf: (value: Value) => number,
  ): Promise<Value> {
    const known = this.find(key)
    if (known !== undefined) return known
    const { result, basis } = await withBasis(this.#service, make)
    if (basis) this.keep(key, result, basis, bytesOf(result))
    return result
  }
}
