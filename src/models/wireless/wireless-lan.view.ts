import { fieldGroup, modelView } from '../../schema/view.ts'

export const wirelessLanView = modelView('wireless.wirelesslan', {
  context: ['scope'],
  columns: ['ssid', 'group', 'status', 'description', 'vlan', 'auth_type'],
  panels: [
    [
      fieldGroup('Wireless LAN', [
        'ssid',
        'group',
        'status',
        'scope',
        'description',
        'vlan',
        'tenant',
      ]),
    ],
    [fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk'])],
  ],
  tables: [
    { model: 'dcim.interface', by: { wireless_lan_id: 'id' }, label: 'Attached Interfaces' },
  ],
  form: [
    fieldGroup('Wireless LAN', ['ssid', 'group', 'vlan', 'status', 'description', 'tags']),
    fieldGroup('Scope', ['scope']),
    fieldGroup('Tenancy', ['tenant']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
    fieldGroup('', ['owner', 'comments']),
  ],
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Attributes', ['ssid', 'group_id', 'status']),
    fieldGroup('Scope', ['region_id', 'site_group_id', 'site_id', 'location_id']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
    fieldGroup('Tenant', ['tenant_group_id', 'tenant_id']),
    fieldGroup('Ownership', ['owner_group_id', 'owner_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['group', 'ssid', 'status', 'vlan', 'tenant', 'description']),
    fieldGroup('Scope', ['scope']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
    fieldGroup('More', ['owner', 'comments']),
  ],
  importColumns: {
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
  },
  imports: [
    'ssid',
    'group.name',
    'status',
    'vlan.name',
    'tenant.name',
    'auth_type',
    'auth_cipher',
    'auth_psk',
    'scope_type',
    'scope_name',
    'scope_id',
    'description',
    'owner.name',
    'comments',
    'tags.slug',
  ],
  search: {
    weights: { ssid: 100, description: 500, auth_psk: 2000, comments: 5000 },
    shown: ['group', 'status', 'vlan', 'tenant', 'scope', 'description'],
  },
})
