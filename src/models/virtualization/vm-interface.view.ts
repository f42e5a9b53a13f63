import { registered, words } from '../../schema/view.ts'
import { vmInterfaceBehaviour } from './vm-interface.rules.ts'
import { vmInterface } from './vm-interface.ts'

export const vmInterfaceModel = registered(vmInterface, {
  behaviour: vmInterfaceBehaviour,
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
