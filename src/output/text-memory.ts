import type { Basis } from '../query/basis.ts'
import { keptOf } from '../query/kept.ts'
import type { Service } from '../service.ts'
import type { Projection } from './projection.ts'

/** An object as an answer shows it. */
export interface ShownObject {
  /** JSON, urls and all; in bytes, as it is sent. */
  readonly json: Buffer
  /** When it was last saved, in the projection of storage/decode.ts; null for models that do not tell. */
  readonly version: unknown
}

/** What an entry takes besides its text, about. */
const ENTRY_BYTES = 200

const objectsOf = keptOf<ShownObject>('objects')

/** The object as it was shown before, in the same projection and with the same base URL, if nothing of it has changed. */
export const recall = (
  service: Service,
  projection: Projection,
  base: string,
  id: number,
): ShownObject | undefined => objectsOf(service).find(keyOf(projection, base, id))

/** Keeps objects as they are shown: pages with the same objects need not read them again, whatever was asked for. */
export function keepShown(
  service: Service,
  projection: Projection,
  base: string,
  shown: ReadonlyMap<number, ShownObject>,
  basis: Basis,
): void {
  const objects = objectsOf(service)
  for (const [id, each] of shown) {
    objects.keep(keyOf(projection, base, id), each, basis, each.json.length + ENTRY_BYTES)
  }
}

const keyOf = (projection: Projection, base: string, id: number): string =>
  `${projection.key} ${base} ${id}`
