import { type Basis, holds } from '../query/basis.ts'
import type { Service } from '../query/service.ts'
import { BoundedMap } from '../storage/bounded-map.ts'
import { noteModels } from '../storage/footprint.ts'
import type { Shape } from './shape.ts'

/** An object as an answer shows it. */
export interface ShownObject {
  /** JSON, urls and all; in bytes, as it is sent. */
  readonly json: Buffer
  /** When it was last saved, in the form of storage/decode.ts; null for models that do not tell. */
  readonly stamp: unknown
}

interface Kept {
  readonly shown: ShownObject
  readonly basis: Basis
}

/** What an entry takes besides its text, about. */
const ENTRY_BYTES = 200

/**
 * Objects as they were shown, by shape and base URL, each for as long as its basis holds. Pages that
 * show the same objects need not read them again, whatever was asked for.
 */
export class TextMemory {
  readonly #service: Service
  readonly #kept: BoundedMap<string, Kept>

  constructor(service: Service) {
    this.#service = service
    this.#kept = new BoundedMap(service.settings.answerMemorySize / 2)
  }

  find(shape: Shape, base: string, id: number): ShownObject | undefined {
    const kept = this.#kept.get(keyOf(shape, base, id))
    if (!kept || !holds(this.#service, kept.basis)) return undefined
    noteModels(kept.basis.models)
    return kept.shown
  }

  keep(shape: Shape, base: string, shown: ReadonlyMap<number, ShownObject>, basis: Basis): void {
    for (const [id, each] of shown) {
      const kept = { shown: each, basis }
      this.#kept.set(keyOf(shape, base, id), kept, each.json.length + ENTRY_BYTES)
    }
  }
}

const keyOf = (shape: Shape, base: string, id: number): string => `${shape.key} ${base} ${id}`
