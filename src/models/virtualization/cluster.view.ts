import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const clusterView = modelView('virtualization.cluster', {
  context: ['type', 'scope'],
  columns: ['name', 'type', 'group', 'status', 'tenant', 'device_count'],
  moreColumns: words(`
    id tenant.group scope scope_type description comments tags created last_updated owner.group
    owner
  `),
  labels: {
    scope_type: 'Scope Type',
    device_count: 'Devices',
  },
  panels: [
    [fieldGroup('Cluster', ['name', 'type', 'status', 'description', 'group', 'tenant', 'scope'])],
    [fieldGroup('Resources', ['allocated_vcpus', 'allocated_memory', 'allocated_disk'])],
  ],
  overview: [
    { model: 'virtualization.virtualmachine', by: { cluster_id: 'id' } },
    { model: 'dcim.device', by: { cluster_id: 'id' } },
  ],
  tabs: [
    {
      path: 'virtual-machines',
      label: 'Virtual Machines',
      model: 'virtualization.virtualmachine',
      by: { cluster_id: 'id' },
    },
    { path: 'devices', label: 'Devices', model: 'dcim.device', by: { cluster_id: 'id' } },
  ],
  cloned: ['scope', 'type', 'group', 'status', 'tenant'],
  form: [
    fieldGroup('Cluster', ['name', 'type', 'group', 'status', 'description', 'tags']),
    fieldGroup('Scope', ['scope']),
  ],
  filters: [
    fieldGroup('Attributes', ['group_id', 'type_id', 'status']),
    fieldGroup('Scope', ['region_id', 'site_group_id', 'site_id', 'location_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['type', 'group', 'status', 'tenant', 'description']),
    fieldGroup('Scope', ['scope']),
  ],
  importColumns: {
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
    site: { to: 'dcim.site', assigns: 'scope' },
  },
  importRequires: ['status'],
  imports: words(`
    name type.name group.name status scope_type scope_name scope_id tenant.name description
    owner.name comments tags.slug site.name
  `),
  search: {
    weights: { name: 100, description: 500, comments: 5000 },
    shown: ['type', 'group', 'status', 'tenant', 'scope', 'description'],
  },
})
