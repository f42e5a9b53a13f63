import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const wirelessLinkView = modelView('wireless.wirelesslink', {
  context: ['interface_a', 'interface_b'],
  columns: ['id', 'status', 'interface_a', 'interface_b', 'ssid', 'auth_type', 'description'],
  moreColumns: words(`
    interface_a.device interface_b.device tenant tenant.group distance auth_cipher auth_psk tags
    created last_updated owner.group owner comments
  `),
  labels: {
    'interface_a.device': 'Device A',
    'interface_b.device': 'Device B',
  },
  fieldLabels: {
    interface_a: 'Interface A',
    interface_b: 'Interface B',
    auth_type: 'Authentication type',
    auth_cipher: 'Authentication cipher',
  },
  panels: [
    [fieldGroup('Link Properties', ['status', 'ssid', 'tenant', 'description', 'distance'])],
    [fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk'])],
  ],
  cloned: ['ssid', 'status'],
  form: [
    fieldGroup('Side A', ['interface_a']),
    fieldGroup('Side B', ['interface_b']),
    fieldGroup('Link', ['status', 'ssid', 'distance', 'distance_unit', 'description', 'tags']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
  ],
  filters: [
    fieldGroup('Attributes', ['ssid', 'status', 'distance', 'distance_unit']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
  ],
  bulkEdit: [
    fieldGroup('', ['ssid', 'status', 'tenant', 'description']),
    fieldGroup('Authentication', ['auth_type', 'auth_cipher', 'auth_psk']),
    fieldGroup('Attributes', ['distance', 'distance_unit']),
  ],
  importColumns: {
    site_a: { to: 'dcim.site', narrows: { device_a: 'site' } },
    device_a: { to: 'dcim.device', narrows: { interface_a: 'device' } },
    site_b: { to: 'dcim.site', narrows: { device_b: 'site' } },
    device_b: { to: 'dcim.device', narrows: { interface_b: 'device' } },
  },
  importRequires: ['device_a', 'device_b', 'status'],
  imports: words(`
    site_a.name device_a.name interface_a.name site_b.name device_b.name interface_b.name status
    ssid tenant.name auth_type auth_cipher auth_psk distance distance_unit description owner.name
    comments tags.slug
  `),
  search: {
    weights: { ssid: 100, description: 500, auth_psk: 2000, comments: 5000 },
    shown: ['status', 'tenant', 'description'],
  },
})
