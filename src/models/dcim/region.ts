import { PRIMARY } from '../../schema/common.ts'
import { relatedCount, subtreeCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { nestedGroup } from '../nested-group.ts'
import { nestedGroupModel } from '../organizational-view.ts'

/** A geographic area: continent, country, city. Regions form a tree. */
export const region = nestedGroup({
  name: 'dcim.region',
  path: 'dcim/regions',
  labels: ['region', 'regions'],
  about: 'A country, a province or a part of a city that contains sites and other regions.',
  graphql: { matchesNodes: true },

  counts: {
    site_count: subtreeCount('dcim.site', 'region'),
    prefix_count: relatedCount('ipam.prefix', '_region'),
  },
  earlierOrder: ['id'],
  features: [...PRIMARY, 'contacts'],
})

export const regionModel = nestedGroupModel(region, {
  counts: ['site_count'],
  tables: [{ model: 'dcim.region', by: { parent_id: 'id' }, label: 'Child Regions' }],
  form: words('parent name slug description tags'),
  search: { shown: words('parent description') },
})
