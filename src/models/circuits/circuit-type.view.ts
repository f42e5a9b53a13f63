import { fieldGroup } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const circuitTypeView = organizationalView('circuits.circuittype', {
  heading: 'Circuit Type',
  counts: { circuit_count: 'Circuits' },
  fields: ['color'],
  form: [fieldGroup('', ['name', 'slug', 'color', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['color'])],
})
