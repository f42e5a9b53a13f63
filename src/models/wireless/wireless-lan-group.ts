import { slug, subtreeCount, text } from '../../schema/field.ts'
import { nestedGroup } from '../nested-group.ts'
import { nestedGroupModel } from '../organizational-view.ts'

/** A group of wireless networks. Groups form a tree. */
export const wirelessLanGroup = nestedGroup({
  name: 'wireless.wirelesslangroup',
  path: 'wireless/wireless-lan-groups',
  labels: ['wireless LAN group', 'wireless LAN groups'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
  },
  counts: {
    wirelesslan_count: subtreeCount('wireless.wirelesslan', 'group'),
  },
  earlierOrder: ['name', 'id'],
  unique: [{ fields: ['parent', 'name'] }],
})

export const wirelessLanGroupModel = nestedGroupModel(wirelessLanGroup, {
  counts: ['wirelesslan_count'],
  filters: { 'Wireless LAN group': ['parent_id'] },
})
