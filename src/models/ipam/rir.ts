import { boolean, relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'

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
