import { fieldGroup, registered, titled, words } from '../../schema/view.ts'
import { interfaceBehaviour } from './interface.rules.ts'
import { deviceInterface } from './interface.ts'

export const deviceInterfaceModel = registered(deviceInterface, {
  behaviour: interfaceBehaviour,
  context: ['device'],
  columns: words('name device label enabled type description'),
  moreColumns: {
    without: words('bridge lag mac_address owner owner.group'),
    plus: words(`
      module.module_bay mac_addresses cable cable.color wireless_link link_peers device.location device.site
      device.status
    `),
  },
  labels: {
    ...titled(`
      speed mark_connected cable.color link_peers device.location device.site device.status
    `),
    'module.module_bay': 'Module Bay',
    mgmt_only: 'Management Only',
    mac_addresses: 'MAC Addresses',
    primary_mac_address: 'Primary MAC',
    wwn: 'WWN',
    wireless_lans: 'Wireless LANs',
    vdcs: 'VDCs',
    qinq_svlan: 'Q-in-Q SVLAN',
    vlan_translation_policy: 'VLAN Translation Policy',
  },
  fieldLabels: { rf_role: 'Wireless role', rf_channel: 'Wireless channel' },
  formLabels: {
    vdcs: 'Virtual device contexts',
    parent: 'Parent interface',
    bridge: 'Bridged interface',
    lag: 'LAG interface',
    mode: '802.1Q mode',
    qinq_svlan: 'Q-in-Q service VLAN',
  },
  panels: [
    {
      Interface: words(`
        device module name label type channels speed duplex mtu enabled mgmt_only description poe_mode
        poe_type mode qinq_svlan untagged_vlan tx_power
      `),
      'Related Interfaces': words('parent channel_id bridge lag'),
    },
    { Addressing: words('primary_mac_address wwn vrf vlan_translation_policy') },
  ],
  addedInRows: ['ipam.ipaddress'],
  tables: [
    { model: 'ipam.ipaddress', by: { interface_id: 'id' }, label: 'IP Addresses' },
    { model: 'dcim.macaddress', by: { interface_id: 'id' }, label: 'MAC Addresses' },
    { model: 'ipam.vlan', by: { interface_id: 'id' }, label: 'VLANs' },
  ],
  cloned: words(`
    device module parent bridge lag type channels mgmt_only mtu mode speed duplex rf_role rf_channel
    rf_channel_frequency rf_channel_width tx_power poe_mode poe_type vrf
  `),
  setElsewhere: { mac_address: 'the primary MAC address' },
  form: {
    Interface: words('device module name label type channels speed duplex description tags'),
    Addressing: words('vrf primary_mac_address wwn'),
    Operation: words('vdcs mtu tx_power enabled mgmt_only mark_connected'),
    'Related Interfaces': words('parent channel_id bridge lag'),
    PoE: words('poe_mode poe_type'),
    '802.1Q Switching': words('mode untagged_vlan tagged_vlans qinq_svlan vlan_translation_policy'),
    Wireless: words('rf_role rf_channel rf_channel_frequency rf_channel_width wireless_lans'),
  },
  narrowedBy: {
    module: { device_id: 'device' },
    vdcs: { device_id: 'device' },
    parent: { virtual_chassis_member_id: 'device' },
    bridge: { virtual_chassis_member_id: 'device' },
    lag: { virtual_chassis_member_id: 'device' },
    untagged_vlan: { available_on_device: 'device' },
    tagged_vlans: { available_on_device: 'device' },
    qinq_svlan: { available_on_device: 'device' },
  },
  filters: {
    Attributes: words('name label kind type channels channel_id speed duplex enabled mgmt_only'),
    Addressing: words('vrf_id l2vpn_id mac_address wwn'),
    PoE: words('poe_mode poe_type'),
    '802.1Q Switching': words('mode vlan_translation_policy_id'),
    Wireless: words('rf_role rf_channel rf_channel_width tx_power'),
    Location: words('region_id site_group_id site_id location_id rack_id'),
    Device: words(`
      tenant_id device_type_id device_role_id device_id device_status virtual_chassis_id vdc_id
    `),
    Connection: words('cabled connected occupied'),
  },
  bulkEdit: [
    fieldGroup('', words('module type channels label speed duplex description')),
    fieldGroup('Addressing', words('vrf wwn')),
    fieldGroup('Operation', words('vdcs mtu tx_power enabled mgmt_only mark_connected')),
    fieldGroup('PoE', words('poe_mode poe_type')),
    fieldGroup('Related Interfaces', words('parent bridge lag')),
    fieldGroup('802.1Q Switching', words('mode untagged_vlan qinq_svlan vlan_translation_policy')),
    fieldGroup('', ['tagged_vlans']),
    fieldGroup(
      'Wireless',
      words(`
      rf_role rf_channel rf_channel_frequency rf_channel_width wireless_lans
    `),
    ),
    fieldGroup('More', words('owner device')),
  ],
  importColumns: {
    vlan_group: {
      to: 'ipam.vlangroup',
      narrows: { untagged_vlan: 'group', tagged_vlans: 'group', qinq_svlan: 'group' },
    },
  },
  imports: {
    without: words(`
      module vrf primary_mac_address untagged_vlan tagged_vlans qinq_svlan vlan_translation_policy wireless_lans
    `),
    plus: words('untagged_vlan.vid tagged_vlans.vid qinq_svlan.vid vrf.rd'),
  },
  search: {
    weights: { wwn: 300, mtu: 2000, speed: 2000 },
    leadsTo: 'device',
    shown: words('device label type wwn description'),
  },
})
