import { registered, words } from '../../schema/view.ts'
import { wirelessLinkBehaviour } from './wireless-link.rules.ts'
import { wirelessLink } from './wireless-link.ts'

export const wirelessLinkModel = registered(wirelessLink, {
  behaviour: wirelessLinkBehaviour,
  context: words('interface_a interface_b'),
  columns: words('id status interface_a interface_b ssid auth_type description'),
  moreColumns: { plus: words('interface_a.device interface_b.device') },
  labels: { 'interface_a.device': 'Device A', 'interface_b.device': 'Device B' },
  fieldLabels: {
    interface_a: 'Interface A',
    interface_b: 'Interface B',
    auth_type: 'Authentication type',
    auth_cipher: 'Authentication cipher',
  },
  panels: [
    { 'Link Properties': words('status ssid tenant description distance') },
    { Authentication: words('auth_type auth_cipher auth_psk') },
  ],
  cloned: words('ssid status'),
  form: {
    'Side A': ['interface_a'],
    'Side B': ['interface_b'],
    Link: words('status ssid distance distance_unit description tags'),
    Authentication: words('auth_type auth_cipher auth_psk'),
  },
  filters: {
    Attributes: words('ssid status distance distance_unit'),
    Authentication: words('auth_type auth_cipher auth_psk'),
  },
  bulkEdit: {
    '': words('ssid status tenant description'),
    Authentication: words('auth_type auth_cipher auth_psk'),
    Attributes: words('distance distance_unit'),
  },
  importColumns: {
    site_a: { to: 'dcim.site', narrows: { device_a: 'site' } },
    device_a: { to: 'dcim.device', narrows: { interface_a: 'device' } },
    site_b: { to: 'dcim.site', narrows: { device_b: 'site' } },
    device_b: { to: 'dcim.device', narrows: { interface_b: 'device' } },
  },
  importRequires: words('device_a device_b status'),
  imports: { plus: words('device_a.name device_b.name') },
  search: { weights: { ssid: 100, auth_psk: 2000 }, shown: words('status tenant description') },
})
