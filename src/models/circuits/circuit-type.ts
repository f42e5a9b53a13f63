import { color, relatedCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

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

export const circuitTypeModel = organizationalModel(circuitType, {
  counts: ['circuit_count'],
  fields: ['color'],
  form: words('name slug color description tags'),
  filters: { Attributes: ['color'] },
})
