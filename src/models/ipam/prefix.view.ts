import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const prefixView = modelView('ipam.prefix', {
  context: ['vrf', 'scope'],
  columns: words('prefix status children vrf tenant scope vlan role description'),
  moreColumns: words(`
    id tenant.group scope_type vlan.group is_pool mark_utilized comments tags created last_updated
    owner.group owner _depth
  `),
  labels: {
    prefix: 'Prefix',
    scope_type: 'Scope Type',
    'vlan.group': 'VLAN Group',
    is_pool: 'Pool',
    mark_utilized: 'Marked Utilized',
    _depth: 'Depth',
  },
  part: 'addressSpace',
  panels: [[fieldGroup('Prefix', 'family vrf tenant scope vlan status role description is_pool')]],
  tabs: [
    {
      path: 'prefixes',
      label: 'Child Prefixes',
      model: 'ipam.prefix',
      by: { within: 'prefix', vrf_id: 'vrf' },
    },
    {
      path: 'ip-ranges',
      label: 'Child Ranges',
      model: 'ipam.iprange',
      by: { parent: 'prefix', vrf_id: 'vrf' },
    },
    {
      path: 'ip-addresses',
      label: 'IP Addresses',
      model: 'ipam.ipaddress',
      by: { parent: 'prefix', vrf_id: 'vrf' },
    },
  ],
  cloned: words('scope vrf tenant vlan status role is_pool mark_utilized description'),
  form: [
    fieldGroup('Prefix', 'prefix status vrf role is_pool mark_utilized description tags'),
    fieldGroup('Scope', ['scope']),
    fieldGroup('VLAN Assignment', ['vlan']),
  ],
  bulkAdd: { field: 'prefix', pattern: 'network' },
  narrowedBy: { vlan: { available_at_site: 'scope' } },
  filters: [
    fieldGroup(
      'Addressing',
      'within_include family status role_id mask_length is_pool mark_utilized',
    ),
    fieldGroup('VLAN Assignment', ['vlan_group_id', 'vlan_id']),
    fieldGroup('VRF', ['vrf_id', 'present_in_vrf_id']),
    fieldGroup('Scope', ['region_id', 'site_group_id', 'site_id', 'location_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['tenant', 'status', 'role', 'description']),
    fieldGroup('Addressing', ['vrf', 'prefix_length', 'is_pool', 'mark_utilized']),
    fieldGroup('Scope', ['scope']),
    fieldGroup('VLAN Assignment', ['vlan']),
  ],
  networkLengths: { prefix_length: 'prefix' },
  importColumns: {
    vlan_group: { to: 'ipam.vlangroup', narrows: { vlan: 'group' } },
    vlan_site: { to: 'dcim.site', narrows: { vlan: 'site' } },
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
  },
  importRequires: ['status'],
  imports: words(`
    prefix vrf.name tenant.name vlan_group.name vlan_site.name vlan.vid status role.name scope_type
    scope_name scope_id is_pool mark_utilized description owner.name comments tags.slug
  `),
  search: {
    weights: { prefix: 110, description: 500, comments: 5000 },
    shown: ['scope', 'vrf', 'tenant', 'vlan', 'status', 'role', 'description'],
  },
})
