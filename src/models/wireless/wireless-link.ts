import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, decimal, foreignKey, text } from '../../schema/field.ts'
import type { Example } from '../../schema/fields/kind.ts'
import { model } from '../../schema/model.ts'
import { modelView, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { distanceUnit } from '../core/choices.ts'
import { CABLING } from '../dcim/cabling/cabled.ts'
import { linkStatus } from '../dcim/choices.ts'
import { storedMetres } from '../dcim/units.ts'
import { wirelessAuthCipher, wirelessAuthType } from './choices.ts'

/** The second and third example interfaces are wireless: two links, one in each direction. */
const wirelessInterface =
  (end: 0 | 1): Example =>
  (n, id) =>
    n <= 2 ? id('dcim.interface', 2 + ((n + end) % 2)) : undefined

/** A wireless link between two interfaces. */
export const wirelessLink = model({
  name: 'wireless.wirelesslink',
  path: 'wireless/wireless-links',
  labels: ['wireless link', 'wireless links'],

  fields: {
    interface_a: foreignKey('dcim.interface', { related: '+', example: wirelessInterface(0) }),
    interface_b: foreignKey('dcim.interface', { related: '+', example: wirelessInterface(1) }),
    ssid: text({ max: 32, default: '', label: 'SSID' }),
    status: choice(linkStatus, { default: 'connected' }),
    tenant,
    auth_type: choice(wirelessAuthType, { nullable: true, blank: true }),
    auth_cipher: choice(wirelessAuthCipher, { nullable: true, blank: true }),
    auth_psk: text({ max: 64, default: '', label: 'Pre-shared key', isSecret: true }),
    distance: decimal({ unit: 'distance_unit', digits: 8, places: 2, nullable: true }),
    distance_unit: choice(distanceUnit, { nullable: true, blank: true, filter: 'single' }),
    description,
    owner,
    comments,
    ...housekeeping,
    _abs_distance: storedMetres('distance', 'distance_unit'),
    _interface_a_device: foreignKey('dcim.device', {
      onDelete: 'cascade',
      related: '+',
      nullable: true,
      hidden: true,
    }),
    _interface_b_device: foreignKey('dcim.device', {
      onDelete: 'cascade',
      related: '+',
      nullable: true,
      hidden: true,
    }),
  },

  display: (column) => sql`coalesce(nullif(${column('ssid')}, ''), '#' || ${column('id')})`,
  graphql: {
    members: ['auth_type', 'auth_cipher'],
    objects: ['_interface_a_device', '_interface_b_device'],
  },
  brief: ['id', 'url', 'display', 'ssid', 'description'],
  order: ['id'],
  search: ['ssid', 'description'],
  unique: [{ fields: ['interface_a', 'interface_b'] }],

  // Cable paths run through connections of several requests, so each request must see the changes of the others.
  lock: CABLING,
  features: PRIMARY,
})

export const wirelessLinkView = modelView(wirelessLink, {
  context: words('interface_a interface_b'),
  columns: words('id status interface_a interface_b ssid auth_type description'),
  moreColumns: words(`
    interface_a.device interface_b.device tenant tenant.group distance auth_cipher auth_psk tags
    created last_updated owner.group owner comments
  `),
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
  imports: words(`
    site_a.name device_a.name interface_a.name site_b.name device_b.name interface_b.name status
    ssid tenant.name auth_type auth_cipher auth_psk distance distance_unit description owner.name
    comments tags.slug
  `),
  search: { weights: { ssid: 100, auth_psk: 2000 }, shown: words('status tenant description') },
})
