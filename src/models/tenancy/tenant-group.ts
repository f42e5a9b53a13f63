import { slug, subtreeCount, text } from '../../schema/field.ts'
import { nestedGroup } from '../nested-group.ts'

/** A group of tenants. Groups form a tree. */
export const tenantGroup = nestedGroup({
  name: 'tenancy.tenantgroup',
  path: 'tenancy/tenant-groups',
  labels: ['tenant group', 'tenant groups'],
  graphql: { matchesNodes: true },

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
  },
  parent: { resetOnPut: false },
  counts: {
    tenant_count: subtreeCount('tenancy.tenant', 'group'),
  },
  unique: [],
})
