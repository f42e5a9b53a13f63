import { PRIMARY } from '../../schema/common.ts'
import { relatedCount, subtreeCount } from '../../schema/field.ts'
import { nestedGroup } from '../nested-group.ts'

/** A geographic area: continent, country, city. Regions form a tree. */
export const region = nestedGroup({
  name: 'dcim.region',
  path: 'dcim/regions',
  labels: ['region', 'regions'],
  graphql: { matchesNodes: true },

  counts: {
    site_count: subtreeCount('dcim.site', 'region'),
    prefix_count: relatedCount('ipam.prefix', '_region'),
  },
  orderAsRelation: ['id'],
  features: [...PRIMARY, 'contacts'],
})
