import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, genericForeignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { SCOPES, scopeCache, scopeFilters } from '../dcim/scope.ts'
import { wirelessAuthCipher } from './choices/wireless-auth-cipher.ts'
import { wirelessAuthType } from './choices/wireless-auth-type.ts'

export const wirelessLanStatus = choices([
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
