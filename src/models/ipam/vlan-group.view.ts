import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const vlanGroupView = modelView('ipam.vlangroup', {
  context: ['scope'],
  columns: ['name', 'scope_type', 'scope', 'vlan_count', 'utilization', 'tenant', 'description'],
  moreColumns: words(
    'id slug total_vlan_ids tenant.group comments tags created last_updated owner.group owner',
  ),
  labels: {
    scope_type: 'Scope Type',
    vlan_count: 'VLANs',
  },
  part: 'vlanIds',
  fieldLabels: { vid_ranges: 'VLAN IDs' },
  panels: [[fieldGroup('VLAN group', 'name description scope vid_ranges utilization tenant')]],
  tabs: [{ path: 'vlans', label: 'VLANs', model: 'ipam.vlan', by: { group_id: 'id' } }],
  form: [
    fieldGroup('VLAN Group', ['name', 'slug', 'description', 'tags']),
    fieldGroup('Child VLANs', ['vid_ranges']),
    fieldGroup('Scope', ['scope']),
  ],
  filters: [
    fieldGroup('Location', ['region', 'site_group', 'site', 'location', 'rack_group', 'rack']),
    fieldGroup('Cluster', ['cluster_group', 'cluster']),
    fieldGroup('VLANs', ['contains_vid', 'total_vlan_ids']),
  ],
  bulkEdit: [fieldGroup('', ['vid_ranges', 'description']), fieldGroup('Scope', ['scope'])],
  importColumns: {
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
  },
  imports: words(`
    name slug scope_type scope_name scope_id vid_ranges tenant.name description owner.name comments
    tags.slug
  `),
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['scope_type', 'description'],
  },
})
