import { fieldGroup, words } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const virtualCircuitTypeView = organizationalView('circuits.virtualcircuittype', {
  heading: 'Virtual Circuit Type',
  counts: { virtual_circuit_count: 'Circuits' },
  fields: ['color'],
  moreColumns: words('id slug tags created last_updated owner.group owner comments'),
  form: [fieldGroup('', ['name', 'slug', 'color', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['color'])],
})
