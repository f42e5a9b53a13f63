import { BoundedMap } from '../storage/bounded-map.ts'
import { noteModels } from '../storage/footprint.ts'
import { type Basis, holds, withBasis } from './basis.ts'
import type { Service } from './service.ts'

interface Entry<Value> {
  readonly value: Value
  readonly basis: Basis
}

/** What was made out of the database, each for as long as its basis holds, in a bounded number of bytes. */
export class Kept<Value> {
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
