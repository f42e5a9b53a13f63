import { boolean, relatedCount } from '../../schema/field.ts'
import { fieldGroup } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalView } from '../organizational-view.ts'

/** A registry that assigns address space, or a document that reserves it. */
export const rir = organizational({
  name: 'ipam.rir',
  path: 'ipam/rirs',
  labels: ['RIR', 'RIRs'],

  fields: {
    is_private: boolean({ default: false, label: 'Private' }),
  },
  counts: {
    aggregate_count: relatedCount('ipam.aggregate', 'rir'),
  },
})

export const rirView = organizationalView('ipam.rir', {
  heading: 'RIR',
  counts: { aggregate_count: 'Aggregates' },
  fields: ['is_private'],
  columns: ['name', 'is_private', 'aggregate_count', 'description'],
  filters: [fieldGroup('RIR', ['is_private'])],
})
