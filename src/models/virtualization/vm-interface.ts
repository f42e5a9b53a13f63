import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, choice, foreignKey, integer, manyToMany, relatedCount, reverse, text } from '../../schema/field.ts'
import { byIdAnd, hardwareAddressFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { modelView, words } from '../../schema/view.ts'
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

export const vmInterfaceView = modelView(vmInterface, {
  context: ['virtual_machine'],
  columns: words('name virtual_machine enabled mode untagged_vlan primary_mac_address description'),
  moreColumns: words(`
    id mtu tags vrf tagged_vlans qinq_svlan created
    last_updated vlan_translation_policy mac_addresses
  `),
  labels: {
    virtual_machine: 'Virtual Machine',
    primary_mac_address: 'Primary MAC',
    qinq_svlan: 'Q-in-Q SVLAN',
    vlan_translation_policy: 'VLAN Translation Policy',
    mac_addresses: 'MAC Addresses',
  },
  formLabels: {
    parent: 'Parent interface',
    bridge: 'Bridged interface',
    mode: '802.1Q mode',
    qinq_svlan: 'Q-in-Q service VLAN',
  },
  panels: [
    {
      Interface: words(`
        virtual_machine name enabled parent bridge description mtu mode qinq_svlan
      `),
    },
    { Addressing: words('primary_mac_address vrf vlan_translation_policy') },
  ],
  addedInRows: ['ipam.ipaddress'],
  tables: [
    { model: 'ipam.ipaddress', by: { vminterface_id: 'id' } },
    { model: 'dcim.macaddress', by: { vminterface_id: 'id' } },
    { model: 'ipam.vlan', by: { vminterface_id: 'id' }, label: 'Assigned VLANs' },
  ],
  setElsewhere: { mac_address: 'the primary MAC address' },
  form: {
    Interface: words('virtual_machine name description tags'),
    Addressing: words('vrf primary_mac_address'),
    Operation: words('mtu enabled'),
    'Related Interfaces': words('parent bridge'),
    '802.1Q Switching': words('mode untagged_vlan tagged_vlans qinq_svlan vlan_translation_policy'),
  },
  narrowedBy: {
    parent: { virtual_machine_id: 'virtual_machine' },
    bridge: { virtual_machine_id: 'virtual_machine' },
    untagged_vlan: { available_on_virtualmachine: 'virtual_machine' },
    tagged_vlans: { available_on_virtualmachine: 'virtual_machine' },
    qinq_svlan: { available_on_virtualmachine: 'virtual_machine' },
  },
  filters: {
    'Virtual Machine': words('cluster_id virtual_machine_id'),
    Attributes: ['enabled'],
    Addressing: words('vrf_id l2vpn_id mac_address'),
    '802.1Q Switching': words('mode vlan_translation_policy_id'),
  },
  bulkEdit: {
    '': words('mtu enabled vrf description'),
    'Related Interfaces': words('parent bridge'),
    '802.1Q Switching': words('mode untagged_vlan tagged_vlans vlan_translation_policy'),
    More: words('owner virtual_machine'),
  },
  importColumns: {
    vlan_group: {
      to: 'ipam.vlangroup',
      narrows: { untagged_vlan: 'group', tagged_vlans: 'group', qinq_svlan: 'group' },
    },
  },
  imports: words(`
    virtual_machine.name name parent.name bridge.name enabled mtu description mode vlan_group.name
    untagged_vlan.vid tagged_vlans.vid qinq_svlan.vid vrf.rd owner.name tags.slug
  `),
  search: {
    weights: { mtu: 2000 },
    leadsTo: 'virtual_machine',
    shown: words('virtual_machine description'),
  },
})
