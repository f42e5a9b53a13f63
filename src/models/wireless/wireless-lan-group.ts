import {
  comments,
  description,
  housekeeping,
  owner,
  PRIMARY,
  SHORT_NODE,
} from '../../schema/common.ts'
import { derived, foreignKey, slug, subtreeCount, text } from '../../schema/field.ts'
import { relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** Wireless networks that belong together. Groups form a tree. */
export const wirelessLanGroup = model({
  name: 'wireless.wirelesslangroup',
  path: 'wireless/wireless-lan-groups',
  labels: ['wireless LAN group', 'wireless LAN groups'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
    parent: foreignKey('wireless.wirelesslangroup', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      resetOnPut: true,
      projection: SHORT_NODE,
    }),
    description,
    ...housekeeping,
    wirelesslan_count: subtreeCount('wireless.wirelesslan', 'group'),
    owner,
    comments,
    _depth: derived('integer', (column) => column('_level')),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'wirelesslan_count', '_depth'],
  order: ['_sort', 'id'],
  orderAsRelation: ['name', 'id'],
  search: ['comments', 'description', 'name', 'slug'],
  unique: [{ fields: ['parent', 'name'] }],

  filters: {
    ancestor_id: relatedTree('parent', 'wireless.wirelesslangroup'),
    ancestor: relatedTree('parent', 'wireless.wirelesslangroup', 'slug'),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: PRIMARY,
})
