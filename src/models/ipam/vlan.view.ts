import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const vlanView = modelView('ipam.vlan', {
  context: ['group', 'site'],
  columns: ['vid', 'name', 'site', 'group', 'tenant', 'status', 'role', 'description'],
  moreColumns: words(
    'id tenant.group qinq_role qinq_svlan comments tags created last_updated owner.group owner',
  ),
  labels: {
    vid: 'VID',
    qinq_role: 'Q-in-Q role',
    qinq_svlan: 'Q-in-Q SVLAN',
  },
  formLabels: { group: 'VLAN group' },
  panels: [
    [
      fieldGroup(
        'VLAN',
        'site.region site group vid name tenant status role description qinq_role qinq_svlan',
      ),
    ],
  ],
  tables: [{ model: 'ipam.prefix', by: { vlan_id: 'id' }, label: 'Prefixes' }],
  tabs: [
    {
      path: 'interfaces',
      label: 'Device Interfaces',
      model: 'dcim.interface',
      by: { vlan_id: 'id' },
    },
    {
      path: 'vm-interfaces',
      label: 'VM Interfaces',
      model: 'virtualization.vminterface',
      by: { vlan_id: 'id' },
    },
  ],
  cloned: ['site', 'group', 'tenant', 'status', 'role', 'description', 'qinq_role', 'qinq_svlan'],
  form: [
    fieldGroup('', 'site group vid name status role tenant qinq_role qinq_svlan description'),
    fieldGroup('', ['tags', 'owner', 'comments']),
  ],
  bulkAdd: { field: 'vid', pattern: 'numbers', namedIn: ['name'] },
  filters: [
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id']),
    fieldGroup('Attributes', ['group_id', 'status', 'role_id', 'vid', 'l2vpn_id']),
    fieldGroup('Q-in-Q/802.1ad', ['qinq_role', 'qinq_svlan_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['status', 'role', 'tenant', 'description']),
    fieldGroup('Q-in-Q', ['qinq_role', 'qinq_svlan']),
    fieldGroup('Site & Group', ['site', 'group']),
  ],
  importRequires: ['status'],
  imports: words(`
    site.name group.name vid name tenant.name status role.name description qinq_role qinq_svlan.vid
    owner.name comments tags.slug
  `),
  search: {
    weights: { name: 100, vid: 100, description: 500, comments: 5000 },
    shown: ['site', 'group', 'tenant', 'status', 'role', 'description'],
  },
})
