import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, integer, relatedCount, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

export const tunnelStatus = choices([
  ['planned', 'Planned', 'cyan'],
  ['active', 'Active', 'green'],
  ['disabled', 'Disabled', 'red'],
])

export const tunnelEncapsulation = choices([
  ['ipsec-transport', 'IPsec - Transport'],
  ['ipsec-tunnel', 'IPsec - Tunnel'],
  ['ip-ip', 'IP-in-IP'],
  ['gre', 'GRE'],
  ['wireguard', 'WireGuard'],
  ['openvpn', 'OpenVPN'],
  ['l2tp', 'L2TP'],
  ['pptp', 'PPTP'],
])

/** A tunnel between interfaces. */
export const tunnel = model({
  name: 'vpn.tunnel',
  path: 'vpn/tunnels',
  labels: ['tunnel', 'tunnels'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    status: choice(tunnelStatus, { default: 'active', required: true }),
    group: foreignKey('vpn.tunnelgroup', { related: 'tunnels', nullable: true, resetOnPut: true }),
    encapsulation: choice(tunnelEncapsulation, {}),
    ipsec_profile: foreignKey('vpn.ipsecprofile', { related: 'tunnels', nullable: true }),
    tenant,
    tunnel_id: integer({
      size: 'big',
      range: [0, Number.MAX_SAFE_INTEGER],
      nullable: true,
      label: 'Tunnel ID',
    }),
    description,
    owner,
    comments,
    ...housekeeping,
    terminations_count: relatedCount('vpn.tunneltermination', 'tunnel'),
  },

  graphql: { enums: { encapsulation: ['TunnelEncapsulationEnum', 'ENCAP'] } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],
  unique: [{ fields: ['group', 'name'] }, { fields: ['name'], whereNull: ['group'] }],

  filters: {
    ipsec_profile: related('ipsec_profile', 'vpn.ipsecprofile', 'name'),
  },
  features: [...PRIMARY, 'contacts'],
})
