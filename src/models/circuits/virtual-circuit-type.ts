import { color, relatedCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

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

export const virtualCircuitTypeModel = organizationalModel(virtualCircuitType, {
  counts: ['virtual_circuit_count'],
  fields: ['color'],
  form: words('name slug color description tags'),
  filters: { Attributes: ['color'] },
  labels: { virtual_circuit_count: 'Circuits' },
})
