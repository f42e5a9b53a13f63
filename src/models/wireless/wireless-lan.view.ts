import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const wirelessLanView = modelView('wireless.wirelesslan', {
  context: ['scope'],
  columns: ['ssid', 'group', 'status', 'description', 'vlan', 'auth_type'],
  moreColumns: words(`
    tenant tenant.group auth_cipher auth_psk scope scope_type comments tags created last_updated id
    owner.group owner
  `),
  labels: {
    scope_type: 'Scope Type',
  },
  fieldLabels: { auth_type: 'Authentication type', auth_cipher: 'Authentication cipher' },
  panels: [
    [fieldGroup('Wireless LAN', 'ssid group status scope description vlan tenant')],
    [fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk'])],
  ],
  tables: [
    { model: 'dcim.interface', by: { wireless_lan_id: 'id' }, label: 'Attached Interfaces' },
  ],
  cloned: ['ssid', 'group', 'scope', 'tenant', 'description'],
  form: [
    fieldGroup('Wireless LAN', ['ssid', 'group', 'vlan', 'status', 'description', 'tags']),
    fieldGroup('Scope', ['scope']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
  ],
  filters: [
    fieldGroup('Attributes', ['ssid', 'group_id', 'status']),
    fieldGroup('Scope', ['region_id', 'site_group_id', 'site_id', 'location_id']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
  ],
  bulkEdit: [
    fieldGroup('', ['group', 'ssid', 'status', 'vlan', 'tenant', 'description']),
    fieldGroup('Scope', ['scope']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
  ],
  importColumns: {
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
  },
  imports: words(`
    ssid group.name status vlan.name tenant.name auth_type auth_cipher auth_psk scope_type
    scope_name scope_id description owner.name comments tags.slug
  `),
  search: {
    weights: { ssid: 100, description: 500, auth_psk: 2000, comments: 5000 },
    shown: ['group', 'status', 'vlan', 'tenant', 'scope', 'description'],
  },
})
