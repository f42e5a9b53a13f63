import { color, relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'

/** The purpose of a virtual circuit. */
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
