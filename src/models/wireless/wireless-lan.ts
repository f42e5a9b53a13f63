import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, genericForeignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { fillScopePlaces, SCOPES, scopeCache, scopeFilters, scopeTypeNeedsObject } from '../dcim/scope.ts'
import { wirelessAuthCipher, wirelessAuthType } from './choices.ts'

const wirelessLanStatus = choices([
  ['active', 'Active', 'green'],
  ['reserved', 'Reserved', 'cyan'],
  ['disabled', 'Disabled', 'orange'],
  ['deprecated', 'Deprecated', 'red'],
])

/** A wireless network with its SSID. */
export const wirelessLan = model({
  name: 'wireless.wirelesslan',
  path: 'wireless/wireless-lans',
  labels: ['wireless LAN', 'wireless LANs'],
  about: 'A wireless network with its SSID and its protection.',

  fields: {
    ssid: text({ max: 32, label: 'SSID' }),
    description,
    group: foreignKey('wireless.wirelesslangroup', {
      onDelete: 'setNull',
      related: 'wireless_lans',
    }),
    status: choice(wirelessLanStatus, { default: 'active', blank: true, lateRequired: true }),
    vlan: foreignKey('ipam.vlan', { nullable: true }),
    scope: genericForeignKey(SCOPES, {
      nullable: true,
      resetOnPut: true,
      onDelete: 'keep',
      related: 'wireless_lans',
    }),
    tenant,
    auth_type: choice(wirelessAuthType, { nullable: true, blank: true }),
    auth_cipher: choice(wirelessAuthCipher, { nullable: true, blank: true }),
    auth_psk: text({ max: 64, default: '', label: 'Pre-shared key', isSecret: true }),
    owner,
    comments,
    ...housekeeping,
    ...scopeCache,
  },

  display: '{ssid}',
  graphql: {
    enums: {
      auth_type: ['WirelessAuthTypeEnum', 'TYPE'],
      auth_cipher: ['WirelessAuthCipherEnum', 'CIPHER'],
    },
    members: ['auth_type', 'auth_cipher'],
    back: { vlan: 'wirelesslan_set' },
  },
  brief: ['id', 'url', 'display', 'ssid', 'description'],
  naturalKey: ['ssid', 'group'],
  order: ['ssid', 'id'],
  search: ['ssid', 'description'],

  filters: {
    ...scopeFilters,
    interface_id: related('interfaces', 'dcim.interface'),
  },
  features: PRIMARY,
})

export const wirelessLanModel = registered(wirelessLan, {
  behaviour: behaviour(wirelessLan, {
    serializerRules: [scopeTypeNeedsObject],
    beforeSave: [fillScopePlaces],
  }),
  context: ['scope'],
  columns: words('ssid group status description vlan auth_type'),
  moreColumns: { plus: ['scope_type'] },
  labels: { scope_type: 'Scope Type' },
  fieldLabels: { auth_type: 'Authentication type', auth_cipher: 'Authentication cipher' },
  panels: [
    { 'Wireless LAN': words('ssid group status scope description vlan tenant') },
    { Authentication: words('auth_type auth_cipher auth_psk') },
  ],
  tables: [{ model: 'dcim.interface', by: { wireless_lan_id: 'id' }, label: 'Attached Interfaces' }],
  cloned: words('ssid group scope tenant description'),
  form: {
    'Wireless LAN': words('ssid group vlan status description tags'),
    Scope: ['scope'],
    Authentication: words('auth_type auth_cipher auth_psk'),
  },
  filters: {
    Attributes: words('ssid group_id status'),
    Scope: words('region_id site_group_id site_id location_id'),
    Authentication: words('auth_type auth_cipher auth_psk'),
  },
  bulkEdit: {
    '': words('group ssid status vlan tenant description'),
    Scope: ['scope'],
    Authentication: words('auth_type auth_cipher auth_psk'),
  },
  importColumns: { scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' } },
  imports: { plus: words('scope_type scope_id') },
  search: {
    weights: { ssid: 100, auth_psk: 2000 },
    shown: words('group status vlan tenant scope description'),
  },
})
