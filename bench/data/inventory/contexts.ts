import type { Batch } from './batch.ts'
import { PLATFORMS, ROLES } from './catalogue.ts'
import { COUNTRIES } from './places.ts'
import type { Plan } from './plan.ts'

interface Layer {
  /** List field of the context and the model that it refers to; absent for a context of all devices. */
  readonly list?: readonly [field: string, model: string]
  readonly count: number
  readonly weight: number
}

const LAYERS: readonly Layer[] = [
  { count: 1, weight: 100 },
  { list: ['regions', 'dcim.region'], count: COUNTRIES.length, weight: 200 },
  { list: ['roles', 'dcim.devicerole'], count: ROLES.length, weight: 300 },
  { list: ['platforms', 'dcim.platform'], count: PLATFORMS, weight: 400 },
]

/** Layered config contexts: global, then by country, role and platform. */
export function* contexts(plan: Plan): Generator<Batch> {
  const all = LAYERS.flatMap((layer) => Array.from({ length: layer.count }, (_, index) => ({ ...layer, index })))
  yield plan.batch('extras.configcontext', all.length, (place, id) => {
    const { list, weight = 0, index = 0 } = all[place] ?? {}
    return {
      name: `context ${id}`,
      weight,
      data: {
        ntp: [`192.0.2.${1 + index}`, '192.0.2.250'],
        snmp: { location: `layer ${weight}`, [`community_${weight}`]: `c${id}` },
      },
      ...(list && { [list[0]]: [plan.id(list[1], index)] }),
    }
  })
}
