import { color, relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'

/** What a virtual circuit is used for. */
export const virtualCircuitType = organizational({
  name: 'circuits.virtualcircuittype',
  path: 'circuits/virtual-circuit-types',
  labels: ['virtual circuit type', 'virtual circuit types'],

  fields: {
    color: color({ default: '' }),
  },
  counts: {
    virtual_circuit_count: relatedCount('circuits.virtualcircuit', 'type'),
  },
})
