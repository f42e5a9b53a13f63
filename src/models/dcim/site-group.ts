import { PRIMARY } from '../../schema/common.ts'
import { relatedCount, subtreeCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { nestedGroup } from '../nested-group.ts'
import { nestedGroupModel } from '../organizational-view.ts'

/** Sites grouped by function. Groups form a tree. */
export const siteGroup = nestedGroup({
  name: 'dcim.sitegroup',
  path: 'dcim/site-groups',
  labels: ['site group', 'site groups'],
  about: 'Sites of the same kind, such as offices or data centers, wherever they are.',
  graphql: { matchesNodes: true },

  counts: {
    site_count: subtreeCount('dcim.site', 'group'),
    prefix_count: relatedCount('ipam.prefix', '_site_group'),
  },
  earlierOrder: ['id'],
  features: [...PRIMARY, 'contacts'],
})

export const siteGroupModel = nestedGroupModel(siteGroup, {
  counts: ['site_count'],
  form: words('parent name slug description tags'),
  search: { shown: words('parent description') },
})
