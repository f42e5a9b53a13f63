import {
  comments,
  description,
  housekeeping,
  owner,
  PRIMARY,
  SHORT_NODE,
} from '../../schema/common.ts'
import { derived, foreignKey, slug, subtreeCount, text } from '../../schema/field.ts'
import { related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** Contacts that belong together. Groups form a tree. */
export const contactGroup = model({
  name: 'tenancy.contactgroup',
  path: 'tenancy/contact-groups',
  labels: ['contact group', 'contact groups'],

  fields: {
    name: text({ max: 100 }),
    slug: slug({ max: 100 }),
    parent: foreignKey('tenancy.contactgroup', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      resetOnPut: true,
      projection: SHORT_NODE,
    }),
    description,
    ...housekeeping,
    contact_count: subtreeCount('tenancy.contact', 'groups'),
    owner,
    comments,
    _depth: derived('integer', (column) => column('_level')),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'contact_count', '_depth'],
  order: ['_sort', 'id'],
  orderAsRelation: ['name'],
  search: ['comments', 'description', 'name', 'slug'],
  unique: [{ fields: ['parent', 'name'] }],

  filters: {
    ancestor_id: relatedTree('parent', 'tenancy.contactgroup'),
    ancestor: relatedTree('parent', 'tenancy.contactgroup', 'slug'),
    contact_id: related('contacts', 'tenancy.contact'),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: PRIMARY,
})
