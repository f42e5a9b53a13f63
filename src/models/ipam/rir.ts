import { boolean, relatedCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** A registry that assigns address space, or a document that reserves it. */
export const rir = organizational({
  name: 'ipam.rir',
  path: 'ipam/rirs',
  labels: ['RIR', 'RIRs'],
  about: 'A registry that assigns addresses and AS numbers, or a private space such as RFC 1918.',

  fields: {
    is_private: boolean({ default: false, label: 'Private' }),
  },
  counts: {
    aggregate_count: relatedCount('ipam.aggregate', 'rir'),
  },
})

export const rirModel = organizationalModel(rir, {
  counts: ['aggregate_count'],
  fields: ['is_private'],
  columns: words('name is_private aggregate_count description'),
  filters: { RIR: ['is_private'] },
})
