import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { integer, relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** What a prefix, address range, VLAN or AS number is used for. */
export const role = model({
  name: 'ipam.role',
  path: 'ipam/roles',
  labels: ['role', 'roles'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    weight: integer({ size: 'small', range: [0, 32767], default: 1000 }),
    description,
    owner,
    comments,
    ...housekeeping,
    prefix_count: relatedCount('ipam.prefix', 'role'),
    vlan_count: relatedCount('ipam.vlan', 'role'),
    asn_count: relatedCount('ipam.asn', 'role'),
  },

  display: '{name}',
  brief: [
    'id',
    'url',
    'display',
    'name',
    'slug',
    'description',
    'prefix_count',
    'vlan_count',
    'asn_count',
  ],
  order: ['weight', 'name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
