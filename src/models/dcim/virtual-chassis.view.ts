import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const virtualChassisView = modelView('dcim.virtualchassis', {
  context: ['master'],
  columns: ['name', 'domain', 'master', 'member_count'],
  moreColumns: words('id description comments tags created last_updated owner.group owner'),
  labels: { member_count: 'Members' },
  panels: [[fieldGroup('Virtual chassis', ['domain', 'master', 'description'])]],
  form: [
    fieldGroup('Virtual Chassis', ['name', 'domain', 'description', 'tags']),
    fieldGroup('Member Devices', ['members']),
  ],
  filters: [
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id']),
    fieldGroup('Tenant', ['tenant_id']),
  ],
  bulkEdit: [fieldGroup('', ['domain', 'description'])],
  imports: ['name', 'domain', 'master.name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, domain: 300, description: 500, comments: 5000 },
    shown: ['master', 'domain', 'description'],
  },
})
