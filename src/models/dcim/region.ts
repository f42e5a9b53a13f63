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

/** A geographic area: continent, country, city. Regions form a tree. */
export const region = model({
  name: 'dcim.region',
  path: 'dcim/regions',
  labels: ['region', 'regions'],

  fields: {
    name: text({ max: 100 }),
    slug: slug({ max: 100 }),
    parent: foreignKey('dcim.region', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      resetOnPut: true,
      projection: SHORT_NODE,
    }),
    description,
    ...housekeeping,
    site_count: subtreeCount('dcim.site', 'region'),
    prefix_count: relatedCount('ipam.prefix', '_region'),
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
    ancestor_id: relatedTree('parent', 'dcim.region'),
    ancestor: relatedTree('parent', 'dcim.region', 'slug'),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: [...PRIMARY, 'contacts'],
})
