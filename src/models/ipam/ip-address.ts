import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { address, choice, derived, foreignKey, genericForeignKey, reverse, text } from '../../schema/field.ts'
import { holds, present, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { interfaceOwnerFilters } from '../dcim/interfaces-of-devices.ts'
import {
  addressFilter,
  familyFilter,
  hostInsideFilter,
  maskLengthFilters,
  presentInVrfFilters,
} from './address.filters.ts'
import { addressStartsWith } from './address-search.ts'
import { ipAddressFamily } from './choices.ts'

const ipAddressStatus = choices([
  ['active', 'Active', 'blue'],
  ['reserved', 'Reserved', 'cyan'],
  ['deprecated', 'Deprecated', 'red'],
  ['dhcp', 'DHCP', 'purple'],
  ['slaac', 'SLAAC', 'purple'],
])

const ipAddressRole = choices([
  ['loopback', 'Loopback', 'gray'],
  ['secondary', 'Secondary', 'blue'],
  ['anycast', 'Anycast', 'yellow'],
  ['vip', 'VIP', 'purple'],
  ['vrrp', 'VRRP', 'green'],
  ['hsrp', 'HSRP', 'green'],
  ['glbp', 'GLBP', 'green'],
  ['carp', 'CARP', 'green'],
])

const TRANSLATED_ADDRESS = ['id', 'url', 'display_url', 'display', ['family', 'bare'], 'address'] as const

/** The interface projection of generic relations, with `display_name` of its device in addition. */
const ASSIGNED_INTERFACE = [
  'id',
  'url',
  'display',
  ['device', ['id', 'url', 'display', 'display_name', 'name', 'description']],
  'name',
  'description',
  'cable',
  '_occupied',
] as const

/** A host address with the mask length of its network, optionally assigned to an interface. */
export const ipAddress = model({
  name: 'ipam.ipaddress',
  path: 'ipam/ip-addresses',
  labels: ['IP address', 'IP addresses'],
  about: 'An IPv4 or IPv6 address, which can be assigned to an interface.',

  fields: {
    family: derived('integer', (column) => sql`family(${column('address')})`, {
      choices: ipAddressFamily,
    }),
    address: address({}),
    vrf: foreignKey('ipam.vrf', { related: 'ip_addresses', nullable: true }),
    tenant,
    status: choice(ipAddressStatus, { default: 'active' }),
    role: choice(ipAddressRole, { nullable: true, blank: true }),
    assigned_object: genericForeignKey(['dcim.interface', 'ipam.fhrpgroup', 'virtualization.vminterface'], {
      nullable: true,
      related: 'ip_addresses',
      projections: { 'dcim.interface': ASSIGNED_INTERFACE },
    }),
    nat_inside: foreignKey('ipam.ipaddress', {
      onDelete: 'setNull',
      related: 'nat_outside',
      projection: TRANSLATED_ADDRESS,
    }),
    nat_outside: reverse('ipam.ipaddress', 'nat_inside', { projection: TRANSLATED_ADDRESS }),
    dns_name: text({
      max: 255,
      default: '',
      pattern: [
        /^([0-9A-Za-z_-]+|\*)(\.[0-9A-Za-z_-]+)*\.?$/,
        'Only letters, digits, hyphens, points and underscores are allowed in DNS names',
      ],
      label: 'DNS name',
    }),
    description,
    owner,
    comments,
    ...housekeeping,
    _host: address({
      isHost: true,
      hidden: true,
      unlogged: true,
      compute: (row) => String(row.address).split('/')[0] ?? null,
    }),
  },

  display: (column) => sql`${column('address')}::text`,
  graphql: { unions: { assigned_object: 'IPAddressAssignmentType' } },
  brief: ['id', 'url', 'display', 'family', 'address', 'description'],
  lock: 'ipam.address',
  naturalKey: ['address', 'vrf'],
  order: ['address', 'id'],
  endpointOrder: ['_host', 'id'],
  // Many VRFs may have the same addresses: the utilization of a prefix counts only those of its own VRF.
  indexes: [{ fields: ['vrf', '_host'] }, { partsOf: 'dns_name' }, { partsOf: 'description' }],
  search: ['dns_name', 'description', addressStartsWith('address', '_host')],

  filters: {
    ...interfaceOwnerFilters('assigned_object'),
    ...presentInVrfFilters,
    ...maskLengthFilters('address'),
    family: familyFilter('address'),
    parent: hostInsideFilter('_host'),
    address: addressFilter('address', '_host'),
    vrf: related('vrf', 'ipam.vrf', 'rd'),
    interface: related('assigned_object:dcim.interface', 'dcim.interface', 'name'),
    interface_id: related('assigned_object:dcim.interface', 'dcim.interface'),
    vminterface: related('assigned_object:virtualization.vminterface', 'virtualization.vminterface', 'name'),
    vminterface_id: related('assigned_object:virtualization.vminterface', 'virtualization.vminterface'),
    fhrpgroup_id: related('assigned_object:ipam.fhrpgroup', 'ipam.fhrpgroup'),
    assigned_to_interface: holds(
      ({ column }) => sql`${column('assigned_object_type')} in ('dcim.interface', 'virtualization.vminterface')`,
    ),
    assigned: present('assigned_object_id'),
    service_id: related('services', 'ipam.service'),
  },
  features: [...PRIMARY, 'contacts'],
  changeRelates: 'assigned_object',
})
