import type { Basis } from '../query/basis.ts'
import { Kept } from '../query/kept.ts'
import type { Service } from '../query/service.ts'
import type { Shape } from './shape.ts'

/** An object as an answer shows it. */
export interface ShownObject {
  /** JSON, urls and all; in bytes, as it is sent. */
  readonly json: Buffer
  /** When it was last saved, in the form of storage/decode.ts; null for models that do not tell. */
  readonly stamp: unknown
}

/** Share of the memory of answers; whole answers have half, counts the rest. */
const SHARE = 7 / 16
/** What an entry takes besides its text, about. */
const ENTRY_BYTES = 200

/**
 * Objects as they were shown, by shape and base URL, each for as long as its basis holds. Pages that
 * show the same objects need not read them again, whatever was asked for.
 */
export class TextMemory {
  readonly #kept: Kept<ShownObject>

  constructor(service: Service) {
    this.#kept = new Kept(service, service.settings.answerMemorySize * SHARE)
  }

  find(shape: Shape, base: string, id: number): ShownObject | undefined {
    return this.#kept.find(keyOf(shape, base, id))
  }

  keep(shape: Shape, base: string, shown: ReadonlyMap<number, ShownObject>, basis: Basis): void {
    for (const [id, each] of shown) {
      this.#kept.keep(keyOf(shape, base, id), each, basis, each.json.length + ENTRY_BYTES)
    }
  }
}

const keyOf = (shape: Shape, base: string, id: number): string => `${shape.key} ${base} ${id}`
