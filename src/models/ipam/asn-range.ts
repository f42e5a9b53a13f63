import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { foreignKey, integer, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A range from which AS numbers are assigned. */
export const asnRange = model({
  name: 'ipam.asnrange',
  path: 'ipam/asn-ranges',
  labels: ['ASN range', 'ASN ranges'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
    rir: foreignKey('ipam.rir', { related: 'asn_ranges' }),
    start: integer({ size: 'big', range: [1, 4294967295] }),
    end: integer({ size: 'big', range: [1, 4294967295], example: (n) => 100 * n }),
    tenant,
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: '{name} ({start}-{end})',
  graphql: { optional: ['rir'] },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  features: PRIMARY,
})
