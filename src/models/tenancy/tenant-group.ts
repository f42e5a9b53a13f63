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

/** Tenants that belong together. Groups form a tree. */
export const tenantGroup = model({
  name: 'tenancy.tenantgroup',
  path: 'tenancy/tenant-groups',
  labels: ['tenant group', 'tenant groups'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
    parent: foreignKey('tenancy.tenantgroup', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      projection: SHORT_NODE,
    }),
    description,
    ...housekeeping,
    tenant_count: subtreeCount('tenancy.tenant', 'group'),
    owner,
    comments,
    _depth: derived('integer', (column) => column('_level')),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'tenant_count', '_depth'],
  order: ['_sort', 'id'],
  orderAsRelation: ['name'],
  search: ['comments', 'description', 'name', 'slug'],

  filters: {
    ancestor_id: relatedTree('parent', 'tenancy.tenantgroup'),
    ancestor: relatedTree('parent', 'tenancy.tenantgroup', 'slug'),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: PRIMARY,
})
