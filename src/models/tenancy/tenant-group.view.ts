import { fieldGroup, words } from '../../schema/view.ts'
import { nestedGroupView } from '../organizational-view.ts'

export const tenantGroupView = nestedGroupView('tenancy.tenantgroup', {
  heading: 'Tenant Group',
  counts: { tenant_count: 'Tenants' },
  moreColumns: words('id parent comments slug tags created last_updated owner.group owner'),
  bulkEdit: [fieldGroup('', ['owner', 'description', 'comments', 'parent'])],
})
