import type { Batch, GeneratedRow } from './batch.ts'
import { TAGS } from './organisation.ts'
import type { Plan } from './plan.ts'

/** Tags on objects: every `every`th of a model's `count` objects gets `each` tags. */
export function* labels(plan: Plan): Generator<Batch> {
  const { devices, interfaces, addresses, prefixes } = plan.sizes
  const kinds = [
    { model: 'dcim.site', count: plan.sites, every: 1, each: 2 },
    { model: 'dcim.device', count: devices, every: 2, each: 2 },
    { model: 'dcim.interface', count: interfaces, every: 20, each: 1 },
    { model: 'ipam.prefix', count: prefixes, every: 4, each: 1 },
    { model: 'ipam.ipaddress', count: addresses, every: 10, each: 1 },
  ]
  yield { model: 'extras.taggeditem', rows: tagged(plan, kinds) }
}

function* tagged(
  plan: Plan,
  kinds: readonly { model: string; count: number; every: number; each: number }[],
): Generator<GeneratedRow> {
  let made = 0
  for (const { model, count, every, each } of kinds) {
    for (let index = 0; index < count; index += every) {
      const first = plan.random.below(TAGS)
      for (let more = 0; more < each; more++) {
        yield {
          id: plan.id('extras.taggeditem', made++),
          object_type: model,
          object_id: plan.id(model, index),
          tag: plan.id('extras.tag', (first + more * 7) % TAGS),
        }
      }
    }
  }
}
