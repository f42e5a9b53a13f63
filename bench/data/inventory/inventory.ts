import type { Batch } from './batch.ts'
import { cabling } from './cabling.ts'
import { catalogue } from './catalogue.ts'
import { contexts } from './contexts.ts'
import { hardware } from './hardware.ts'
import { labels } from './labels.ts'
import { machines } from './machines.ts'
import { networks } from './networks.ts'
import { organisation } from './organisation.ts'
import { places } from './places.ts'
import { type InventoryOptions, Plan } from './plan.ts'

/**
 * Batches of a large network: sites with racks, devices with interfaces, addresses and cables, nested prefixes, VLANs,
 * virtual machines; with tags, custom fields and config contexts. Rows refer to rows of the same or an earlier batch,
 * or through a deferred foreign key. Consume the rows in the order of the batches, so that the same seed gives the same
 * inventory.
 */
export function* inventory(options: InventoryOptions): Generator<Batch> {
  const plan = new Plan(options)
  yield* organisation(plan)
  yield* catalogue(plan)
  yield* places(plan)
  yield* networks(plan)
  yield* hardware(plan)
  yield* cabling(plan)
  yield* machines(plan)
  yield* labels(plan)
  yield* contexts(plan)
}
