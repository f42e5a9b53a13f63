import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const tunnelView = modelView('vpn.tunnel', {
  columns: ['name', 'group', 'status', 'encapsulation', 'tenant', 'terminations_count'],
  moreColumns: words(`
    id ipsec_profile tenant.group tunnel_id description comments tags created last_updated
    owner.group owner
  `),
  labels: {
    ipsec_profile: 'IPSec profile',
    terminations_count: 'Terminations',
  },
  formLabels: { group: 'Tunnel group' },
  panels: [
    [
      fieldGroup(
        'Tunnel',
        'name status group description encapsulation ipsec_profile tunnel_id tenant',
      ),
    ],
  ],
  tables: [{ model: 'vpn.tunneltermination', by: { tunnel_id: 'id' }, label: 'Terminations' }],
  cloned: ['status', 'encapsulation', 'ipsec_profile', 'tenant'],
  form: [
    fieldGroup('Tunnel', 'name status group encapsulation description tunnel_id tags'),
    fieldGroup('Security', ['ipsec_profile']),
  ],
  filters: [
    fieldGroup('Tunnel', ['status', 'encapsulation', 'tunnel_id']),
    fieldGroup('Security', ['ipsec_profile_id']),
    fieldGroup('Tenancy', ['tenant_group_id', 'tenant_id']),
  ],
  bulkEdit: [
    fieldGroup('Tunnel', ['status', 'group', 'encapsulation', 'tunnel_id', 'description']),
    fieldGroup('Security', ['ipsec_profile']),
  ],
  imports: words(`
    name status group.name encapsulation ipsec_profile.name tenant.name tunnel_id description
    owner.name comments tags.slug
  `),
  search: {
    weights: { name: 100, tunnel_id: 300, description: 500, comments: 5000 },
    shown: ['group', 'status', 'encapsulation', 'tenant', 'tunnel_id', 'description'],
  },
})
