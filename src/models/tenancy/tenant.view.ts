import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const tenantView = modelView('tenancy.tenant', {
  context: ['group'],
  columns: ['name', 'group', 'description'],
  moreColumns: words('id slug comments tags created last_updated owner.group owner'),
  panels: [[fieldGroup('Tenant', ['group', 'description'])]],
  overview: [
    { model: 'dcim.site', by: { tenant_id: 'id' } },
    { model: 'dcim.rack', by: { tenant_id: 'id' } },
    { model: 'dcim.device', by: { tenant_id: 'id' } },
    { model: 'ipam.prefix', by: { tenant_id: 'id' } },
    { model: 'ipam.vrf', by: { tenant_id: 'id' } },
    { model: 'ipam.vlan', by: { tenant_id: 'id' } },
    { model: 'circuits.circuit', by: { tenant_id: 'id' } },
    { model: 'virtualization.cluster', by: { tenant_id: 'id' } },
    { model: 'virtualization.virtualmachine', by: { tenant_id: 'id' } },
    {
      model: 'tenancy.contactassignment',
      by: { object_type: '=tenancy.tenant', object_id: 'id' },
      label: 'Contacts',
    },
  ],
  cloned: ['group', 'description'],
  form: [fieldGroup('Tenant', ['name', 'slug', 'group', 'description', 'tags'])],
  filters: [fieldGroup('Tenant', ['group_id'])],
  bulkEdit: [fieldGroup('', ['group', 'description'])],
  imports: ['name', 'slug', 'group.name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['group', 'description'],
  },
})
