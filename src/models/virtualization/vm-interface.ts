import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, choice, foreignKey, integer, manyToMany, relatedCount, reverse, text } from '../../schema/field.ts'
import { byIdAnd, hardwareAddressFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { interfaceMode } from '../dcim/choices.ts'
import { storedNameOrder } from '../dcim/interface-name-order.ts'
import { interfaceVlanFilters } from '../dcim/interfaces-of-devices.ts'
import { earlierPrimaryMac, primaryMac } from '../dcim/primary-mac.ts'

const SHORT_INTERFACE = [
  'id',
  'url',
  'display_url',
  'display',
  ['virtual_machine', ['id', 'url', 'display_url', 'display', 'name']],
  'name',
] as const

/** A virtual machine's network interface. */
export const vmInterface = model({
  name: 'virtualization.vminterface',
  path: 'virtualization/interfaces',
  labels: ['interface', 'interfaces'],
  earlier: { fields: { mac_address: earlierPrimaryMac } },
  className: 'VMInterface',

  fields: {
    virtual_machine: foreignKey('virtualization.virtualmachine', {
      onDelete: 'cascade',
      related: 'interfaces',
    }),
    name: text({ max: 64 }),
    enabled: boolean({ default: true }),
    parent: foreignKey('virtualization.vminterface', {
      onDelete: 'restrict',
      related: 'child_interfaces',
      nullable: true,
      projection: SHORT_INTERFACE,
    }),
    bridge: foreignKey('virtualization.vminterface', {
      onDelete: 'setNull',
      related: 'bridge_interfaces',
      projection: SHORT_INTERFACE,
    }),
    mtu: integer({ range: [1, 65536], nullable: true, label: 'MTU' }),
    mac_address: primaryMac,
    primary_mac_address: foreignKey('dcim.macaddress', {
      onDelete: 'setNull',
      related: '+',
      unique: true,
    }),
    mac_addresses: reverse('dcim.macaddress', 'assigned_object'),
    description,
    mode: choice(interfaceMode, { nullable: true, blank: true }),
    untagged_vlan: foreignKey('ipam.vlan', {
      onDelete: 'setNull',
      related: 'vminterfaces_as_untagged',
      filter: false,
    }),
    tagged_vlans: manyToMany('ipam.vlan', { related: 'vminterfaces_as_tagged' }),
    qinq_svlan: foreignKey('ipam.vlan', {
      onDelete: 'setNull',
      related: 'vminterfaces_svlan',
      filter: false,
    }),
    vlan_translation_policy: foreignKey('ipam.vlantranslationpolicy', { nullable: true }),
    vrf: foreignKey('ipam.vrf', { onDelete: 'setNull', related: 'vminterfaces' }),
    l2vpn_termination: reverse('vpn.l2vpntermination', 'assigned_object', { single: true }),
    owner,
    ...housekeeping,
    count_ipaddresses: relatedCount('ipam.ipaddress', 'assigned_object', { belongsToObject: true }),
    count_fhrp_groups: relatedCount('ipam.fhrpgroupassignment', 'interface', {
      belongsToObject: true,
    }),
    _name: storedNameOrder,
  },

  graphql: { root: 'vm_interface' },
  brief: ['id', 'url', 'display', 'virtual_machine', 'name', 'description'],
  order: ['virtual_machine', '_name'],
  search: ['name', 'description'],
  indexes: [{ partsOf: 'description' }],
  unique: [{ fields: ['virtual_machine', 'name'] }],

  filters: {
    ...interfaceVlanFilters('virtualization.vminterface', 'vminterface_id'),
    vrf: related('vrf', 'ipam.vrf', 'rd'),
    ...byIdAnd('identifier', 'l2vpn', related('l2vpn_terminations.l2vpn', 'vpn.l2vpn')),
    vlan_translation_policy: related('vlan_translation_policy', 'ipam.vlantranslationpolicy', 'name'),
    ...byIdAnd('name', 'cluster', related('virtual_machine.cluster', 'virtualization.cluster')),
    virtual_machine: related('virtual_machine', 'virtualization.virtualmachine', 'name'),
    mac_address: hardwareAddressFilter('mac_addresses.mac_address'),
    primary_mac_address: related('primary_mac_address', 'dcim.macaddress', 'mac_address'),
  },
  features: PRIMARY,
  changeRelates: 'virtual_machine',
})
