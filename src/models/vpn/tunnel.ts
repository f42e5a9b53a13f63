import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, integer, relatedCount, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

const tunnelStatus = choices([
  ['planned', 'Planned', 'cyan'],
  ['active', 'Active', 'green'],
  ['disabled', 'Disabled', 'red'],
])

const tunnelEncapsulation = choices([
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
  about: 'An IPsec, GRE or other tunnel between interfaces.',

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

  filters: { ipsec_profile: related('ipsec_profile', 'vpn.ipsecprofile', 'name') },
  features: [...PRIMARY, 'contacts'],
})

export const tunnelModel = registered(tunnel, {
  columns: words('name group status encapsulation tenant terminations_count'),
  labels: { ipsec_profile: 'IPSec profile', terminations_count: 'Terminations' },
  formLabels: { group: 'Tunnel group' },
  panels: words('name status group description encapsulation ipsec_profile tunnel_id tenant'),
  tables: [{ model: 'vpn.tunneltermination', by: { tunnel_id: 'id' }, label: 'Terminations', isShownEmpty: true }],
  cloned: words('status encapsulation ipsec_profile tenant'),
  form: {
    Tunnel: words('name status group encapsulation description tunnel_id tags'),
    Security: ['ipsec_profile'],
  },
  filters: {
    Tunnel: words('status encapsulation tunnel_id'),
    Security: ['ipsec_profile_id'],
    Tenancy: words('tenant_group_id tenant_id'),
  },
  bulkEdit: {
    Tunnel: words('status group encapsulation tunnel_id description'),
    Security: ['ipsec_profile'],
  },
  search: {
    weights: { tunnel_id: 300 },
    shown: words('group status encapsulation tenant tunnel_id description'),
  },
})
