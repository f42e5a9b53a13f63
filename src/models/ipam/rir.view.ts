import { fieldGroup } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const rirView = organizationalView('ipam.rir', {
  heading: 'RIR',
  counts: { aggregate_count: 'Aggregates' },
  fields: ['is_private'],
  columns: ['name', 'is_private', 'aggregate_count', 'description'],
  filters: [fieldGroup('RIR', ['is_private'])],
})
