import { color, relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'

/** The purpose of a circuit: transit, dark fibre, out-of-band, … */
export const circuitType = organizational({
  name: 'circuits.circuittype',
  path: 'circuits/circuit-types',
  labels: ['circuit type', 'circuit types'],

  fields: {
    color: color({ default: '' }),
  },
  counts: {
    circuit_count: relatedCount('circuits.circuit', 'type'),
  },
})
