import { sightOf } from '../auth/restrict.ts'
import type { Sight } from '../query/within-sight.ts'
import type { WriteContext } from './context.ts'

const known = new WeakMap<WriteContext['transaction'], Sight>()

/** What of the inventory the user who writes may see: nothing else may be named, or told of. */
export function sightOfWrite({
  actor,
  service,
  transaction,
}: Pick<WriteContext, 'actor' | 'service' | 'transaction'>): Sight {
  const sight = known.get(transaction) ?? sightOf(actor, service.registry, service.settings)
  known.set(transaction, sight)
  return sight
}
