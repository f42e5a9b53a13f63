import { slug, subtreeCount, text } from '../../schema/field.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { nestedGroup } from '../nested-group.ts'
import { nestedGroupModel } from '../organizational-view.ts'
import { tenant } from './tenant.ts'

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

type GroupFields = typeof tenantGroup.fields

/** Name of a tenant that would become a duplicate if the deletion of its group left it without one. */
const duplicateOf = oncePerBatch<GroupFields, Promise<string | undefined>>(async ({ batch, read }) => {
  const groups = batch.map(({ id }) => id)
  const [duplicate] = await read.database.query<{ id: number; name: string }>(sql`
    select t.id, t.name from ${table('tenancy.tenant')} t
    join ${table('tenancy.tenant')} o on o.id <> t.id and (o.name = t.name or o.slug = t.slug)
    where t.group_id = any(${groups}::bigint[])
      and (o.group_id is null or o.group_id = any(${groups}::bigint[]))
    order by t.id limit 1`)
  if (!duplicate) return undefined
  return (await read.shows(tenant, duplicate.id)) ? duplicate.name : 'each other'
})

const tenantsStayUnique: Rule<GroupFields> = async (change) => {
  const name = await duplicateOf(change)
  return name === undefined
    ? undefined
    : { __all__: `Deleting this group would leave two ungrouped tenants named ${name}.` }
}

export const tenantGroupModel = nestedGroupModel(tenantGroup, {
  behaviour: behaviour(tenantGroup, { deletionRules: [tenantsStayUnique] }),
  counts: ['tenant_count'],
  bulkEdit: { plus: words('owner comments') },
})
