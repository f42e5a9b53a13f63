import {
  comments,
  description,
  housekeeping,
  owner,
  PRIMARY,
  SHORT_NODE,
} from '../../schema/common.ts'
import { derived, foreignKey, relatedCount, slug, subtreeCount, text } from '../../schema/field.ts'
import { relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** Sites that belong together by function. Groups form a tree. */
export const siteGroup = model({
  name: 'dcim.sitegroup',
  path: 'dcim/site-groups',
  labels: ['site group', 'site groups'],

  fields: {
    name: text({ max: 100 }),
    slug: slug({ max: 100 }),
    parent: foreignKey('dcim.sitegroup', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      resetOnPut: true,
      projection: SHORT_NODE,
    }),
    description,
    ...housekeeping,
    site_count: subtreeCount('dcim.site', 'group'),
    prefix_count: relatedCount('ipam.prefix', '_site_group'),
    owner,
    comments,
    _depth: derived('integer', (column) => column('_level')),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'site_count', '_depth'],
  order: ['_sort', 'id'],
  orderAsRelation: ['id'],
  search: ['comments', 'description', 'name', 'slug'],
  unique: [
    { fields: ['parent', 'name'] },
    { fields: ['name'], whereNull: ['parent'] },
    { fields: ['parent', 'slug'] },
    { fields: ['slug'], whereNull: ['parent'] },
  ],

  filters: {
    ancestor_id: relatedTree('parent', 'dcim.sitegroup'),
    ancestor: relatedTree('parent', 'dcim.sitegroup', 'slug'),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: [...PRIMARY, 'contacts'],
})
