import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const interfaceView = modelView('dcim.interface', {
  context: ['device'],
  columns: ['name', 'device', 'label', 'enabled', 'type', 'description'],
  moreColumns: words(`
    id module.module_bay module mgmt_only mtu speed duplex mode mac_addresses primary_mac_address
    wwn poe_mode poe_type rf_role rf_channel rf_channel_frequency rf_channel_width tx_power
    mark_connected cable cable.color wireless_link wireless_lans link_peers tags vdcs vrf
    untagged_vlan tagged_vlans qinq_svlan created last_updated vlan_translation_policy
    device.location device.site device.status
  `),
  labels: {
    'module.module_bay': 'Module Bay',
    mgmt_only: 'Management Only',
    speed: 'Speed',
    mac_addresses: 'MAC Addresses',
    primary_mac_address: 'Primary MAC',
    wwn: 'WWN',
    mark_connected: 'Mark Connected',
    'cable.color': 'Cable Color',
    wireless_lans: 'Wireless LANs',
    link_peers: 'Link Peers',
    vdcs: 'VDCs',
    qinq_svlan: 'Q-in-Q SVLAN',
    vlan_translation_policy: 'VLAN Translation Policy',
    'device.location': 'Device Location',
    'device.site': 'Device Site',
    'device.status': 'Device Status',
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
    [
      fieldGroup(
        'Interface',
        `
          device module name label type speed duplex mtu enabled mgmt_only description poe_mode
          poe_type mode qinq_svlan untagged_vlan tx_power
        `,
      ),
      fieldGroup('Related Interfaces', ['parent', 'bridge', 'lag']),
    ],
    [fieldGroup('Addressing', ['primary_mac_address', 'wwn', 'vrf', 'vlan_translation_policy'])],
  ],
  tables: [
    { model: 'ipam.ipaddress', by: { interface_id: 'id' }, label: 'IP Addresses' },
    { model: 'dcim.macaddress', by: { interface_id: 'id' }, label: 'MAC Addresses' },
    { model: 'ipam.vlan', by: { interface_id: 'id' }, label: 'VLANs' },
  ],
  cloned: words(`
    device module parent bridge lag type mgmt_only mtu mode speed duplex rf_role rf_channel
    rf_channel_frequency rf_channel_width tx_power poe_mode poe_type vrf
  `),
  form: [
    fieldGroup('Interface', 'device module name label type speed duplex description tags'),
    fieldGroup('Addressing', ['vrf', 'primary_mac_address', 'wwn']),
    fieldGroup('Operation', ['vdcs', 'mtu', 'tx_power', 'enabled', 'mgmt_only', 'mark_connected']),
    fieldGroup('Related Interfaces', ['parent', 'bridge', 'lag']),
    fieldGroup('PoE', ['poe_mode', 'poe_type']),
    fieldGroup(
      '802.1Q Switching',
      'mode untagged_vlan tagged_vlans qinq_svlan vlan_translation_policy',
    ),
    fieldGroup(
      'Wireless',
      'rf_role rf_channel rf_channel_frequency rf_channel_width wireless_lans',
    ),
  ],
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
  filters: [
    fieldGroup('Attributes', 'name label kind type speed duplex enabled mgmt_only'),
    fieldGroup('Addressing', ['vrf_id', 'l2vpn_id', 'mac_address', 'wwn']),
    fieldGroup('PoE', ['poe_mode', 'poe_type']),
    fieldGroup('802.1Q Switching', ['mode', 'vlan_translation_policy_id']),
    fieldGroup('Wireless', ['rf_role', 'rf_channel', 'rf_channel_width', 'tx_power']),
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id', 'rack_id']),
    fieldGroup(
      'Device',
      'tenant_id device_type_id device_role_id device_id device_status virtual_chassis_id vdc_id',
    ),
    fieldGroup('Connection', ['cabled', 'connected', 'occupied']),
  ],
  bulkEdit: [
    fieldGroup('', ['module', 'type', 'label', 'speed', 'duplex', 'description']),
    fieldGroup('Addressing', ['vrf', 'wwn']),
    fieldGroup('Operation', ['vdcs', 'mtu', 'tx_power', 'enabled', 'mgmt_only', 'mark_connected']),
    fieldGroup('PoE', ['poe_mode', 'poe_type']),
    fieldGroup('Related Interfaces', ['parent', 'bridge', 'lag']),
    fieldGroup('802.1Q Switching', 'mode untagged_vlan qinq_svlan vlan_translation_policy'),
    fieldGroup('', ['tagged_vlans']),
    fieldGroup(
      'Wireless',
      'rf_role rf_channel rf_channel_frequency rf_channel_width wireless_lans',
    ),
    fieldGroup('More', ['owner', 'device']),
  ],
  importColumns: {
    vlan_group: {
      to: 'ipam.vlangroup',
      narrows: { untagged_vlan: 'group', tagged_vlans: 'group', qinq_svlan: 'group' },
    },
  },
  imports: words(`
    device.name name label parent.name bridge.name lag.name type speed duplex enabled mark_connected
    wwn vdcs.name mtu mgmt_only description poe_mode poe_type mode vlan_group.name untagged_vlan.vid
    tagged_vlans.vid qinq_svlan.vid vrf.rd rf_role rf_channel rf_channel_frequency rf_channel_width
    tx_power owner.name tags.slug
  `),
  search: {
    weights: { name: 100, label: 200, wwn: 300, description: 500, mtu: 2000, speed: 2000 },
    leadsTo: 'device',
    shown: ['device', 'label', 'type', 'wwn', 'description'],
  },
})
