import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const vmInterfaceView = modelView('virtualization.vminterface', {
  context: ['virtual_machine'],
  columns: ['name', 'virtual_machine', 'enabled', 'description'],
  moreColumns: words(`
    id mtu mode tags vrf primary_mac_address untagged_vlan tagged_vlans qinq_svlan created
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
    [
      fieldGroup(
        'Interface',
        'virtual_machine name enabled parent bridge description mtu mode qinq_svlan',
      ),
    ],
    [fieldGroup('Addressing', ['primary_mac_address', 'vrf', 'vlan_translation_policy'])],
  ],
  tables: [
    { model: 'ipam.ipaddress', by: { vminterface_id: 'id' } },
    { model: 'dcim.macaddress', by: { vminterface_id: 'id' } },
    { model: 'ipam.vlan', by: { vminterface_id: 'id' }, label: 'Assigned VLANs' },
  ],
  form: [
    fieldGroup('Interface', ['virtual_machine', 'name', 'description', 'tags']),
    fieldGroup('Addressing', ['vrf', 'primary_mac_address']),
    fieldGroup('Operation', ['mtu', 'enabled']),
    fieldGroup('Related Interfaces', ['parent', 'bridge']),
    fieldGroup(
      '802.1Q Switching',
      'mode untagged_vlan tagged_vlans qinq_svlan vlan_translation_policy',
    ),
  ],
  narrowedBy: {
    parent: { virtual_machine_id: 'virtual_machine' },
    bridge: { virtual_machine_id: 'virtual_machine' },
    untagged_vlan: { available_on_virtualmachine: 'virtual_machine' },
    tagged_vlans: { available_on_virtualmachine: 'virtual_machine' },
    qinq_svlan: { available_on_virtualmachine: 'virtual_machine' },
  },
  filters: [
    fieldGroup('Virtual Machine', ['cluster_id', 'virtual_machine_id']),
    fieldGroup('Attributes', ['enabled']),
    fieldGroup('Addressing', ['vrf_id', 'l2vpn_id', 'mac_address']),
    fieldGroup('802.1Q Switching', ['mode', 'vlan_translation_policy_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['mtu', 'enabled', 'vrf', 'description']),
    fieldGroup('Related Interfaces', ['parent', 'bridge']),
    fieldGroup('802.1Q Switching', 'mode untagged_vlan tagged_vlans vlan_translation_policy'),
    fieldGroup('More', ['owner', 'virtual_machine']),
  ],
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
    weights: { name: 100, description: 500, mtu: 2000 },
    leadsTo: 'virtual_machine',
    shown: ['virtual_machine', 'description'],
  },
})
