import { relatedTree } from '../../schema/filter.ts'

/** Filters of every model with a tenant, beyond those that the field brings. */
export const tenancyFilters = {
  tenant_group_id: relatedTree('tenant.group', 'tenancy.tenantgroup'),
  tenant_group: relatedTree('tenant.group', 'tenancy.tenantgroup', 'slug'),
}
