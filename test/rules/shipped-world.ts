/** An inventory for the rules that ship, as a document: each rule has objects that pass, fail, or do not count. */

const named = (name: string) => ({ name, slug: name })
const at = (device: string, name: string) => ({ device: { name: device }, name })
const device = (name: string, site: string, role: string, more: object = {}) => ({
  ...{ name, site: { slug: site }, role: { slug: role }, device_type: { slug: 'm1' }, status: 'active' },
  ...more,
})
const port = (device: string, name: string, more: object = {}) => ({ ...at(device, name), type: '1000base-t', ...more })
const address = (address: string, [on, name]: readonly [device: string, name: string], vrf?: string) => ({
  ...{ address, assigned_object_type: 'dcim.interface', assigned_object_id: at(on, name) },
  ...(vrf !== undefined && { vrf: { name: vrf } }),
})
type End = readonly [type: string, key: object]
const interfaceOf = (device: string, name: string): End => ['dcim.interface', at(device, name)]
const frontOf = (name: string): End => ['dcim.frontport', at('panel', name)]
const rearOf = (name: string): End => ['dcim.rearport', at('panel', name)]
const powerOf = (device: string, name: string): End => ['dcim.powerport', at(device, name)]
const outletOf = (device: string, name: string): End => ['dcim.poweroutlet', at(device, name)]
const feedOf = (name: string): End => ['dcim.powerfeed', { name }]
const circuitEnd = (cid: string, side = 'A'): End => [
  'circuits.circuittermination',
  { circuit: { cid }, term_side: side },
]
const cable = (a: End, b: End, more: object = {}) => ({
  a_terminations: [{ object_type: a[0], object_id: a[1] }],
  b_terminations: [{ object_type: b[0], object_id: b[1] }],
  ...more,
})
const rack = (name: string) => ({ name, site: { slug: 'full' } })
const feed = (name: string, panel: string, more: object = {}) => ({
  ...{ name, power_panel: { name: panel }, voltage: 230, amperage: 20, max_utilization: 80 },
  ...more,
})
const circuit = (cid: string, provider: string, status = 'active') => ({
  ...{ cid, provider: { slug: provider }, type: { slug: 'internet' }, status },
})
const end = (cid: string, side: string, type: string, key: object) => ({
  ...{ circuit: { cid }, term_side: side, termination_type: type, termination_id: key },
})
const inRack = (name: string) => ({ rack: { name } })
const PLATFORMS = { platform: { slug: 'os1' } }

export const SHIPPED_WORLD = {
  'dcim.site': [
    { ...named('full'), status: 'active' },
    { ...named('single'), status: 'active' },
    { ...named('bare'), status: 'planned' },
    { ...named('same'), status: 'active' },
  ],
  'dcim.location': [{ ...named('hall'), site: { slug: 'full' } }],
  'dcim.manufacturer': [named('maker')],
  'dcim.devicetype': [{ manufacturer: { slug: 'maker' }, model: 'M1', slug: 'm1', u_height: 0 }],
  'dcim.platform': [named('os1'), named('os2')],
  'dcim.devicerole': ['router', 'switch', 'leaf', 'spine', 'server', 'panel', 'pdu'].map(named),
  'dcim.rack': [...['k1', 'k2', 'k3', 'k4'].map(rack), { name: 'k5', site: { slug: 'same' } }],
  'dcim.device': [
    device('r1', 'full', 'router', {
      ...inRack('k1'),
      ...PLATFORMS,
      serial: 'S1',
      asset_tag: 'A1',
      primary_ip4: { address: '10.255.0.1/32' },
      local_context_data: { note: 'In the cold aisle' },
    }),
    device('r2', 'full', 'router', {
      ...inRack('k2'),
      ...PLATFORMS,
      serial: 'S2',
      primary_ip4: { address: '192.168.255.2/24' },
      local_context_data: { users: { admin: { Password: 'known' } } },
    }),
    device('r3', 'single', 'router', PLATFORMS),
    device('r4', 'same', 'router', inRack('k5')),
    device('r5', 'same', 'router', inRack('k5')),
    device('r6', 'bare', 'router', { status: 'planned' }),
    device('sw-01a', 'full', 'switch', PLATFORMS),
    device('sw-01b', 'full', 'switch', { platform: { slug: 'os2' } }),
    device('SW_02', 'single', 'switch'),
    device('sw-03', 'full', 'switch', { virtual_chassis: { name: 'stack' }, vc_position: 1 }),
    device('sw-04', 'full', 'switch', { virtual_chassis: { name: 'stack' }, vc_position: 2 }),
    device('sw-05', 'full', 'switch', { virtual_chassis: { name: 'lonely' }, vc_position: 1 }),
    device('leaf1', 'full', 'leaf'),
    device('leaf2', 'full', 'leaf'),
    device('spine1', 'full', 'spine'),
    device('spine2', 'full', 'spine'),
    device('srv1', 'full', 'server'),
    device('srv2', 'full', 'server'),
    device('panel', 'full', 'panel'),
    ...['pdu1', 'pdu2', 'pdu3'].map((name) => device(name, 'full', 'pdu')),
    { ...device('', 'full', 'server'), name: null, asset_tag: 'A9' },
  ],
  'dcim.virtualchassis': [{ name: 'stack', master: { name: 'sw-03' } }, { name: 'lonely' }],
  'ipam.vrf': [
    { name: 'Management', rd: '1:1' },
    { name: 'Core', rd: '1:2', enforce_unique: false },
    // Names of VRFs are not unique.
    { name: 'Twin', rd: '1:3' },
    { name: 'Restricted', rd: '1:4' },
  ],
  'ipam.vlan': [
    { vid: 20, name: 'Offices', site: { slug: 'full' } },
    { vid: 4001, name: 'Wrong', site: { slug: 'full' } },
    { vid: 4002, name: 'Backbone' },
  ],
  'dcim.interface': [
    port('r1', 'Ethernet1', { mtu: 9000 }),
    port('r1', 'Ethernet2', { mtu: 9000 }),
    port('r1', 'Ethernet3'),
    port('r1', 'mgmt0', { mgmt_only: true, vrf: { name: 'Management' } }),
    port('r1', 'management-in-name-only1'),
    port('r1', 'Loopback0', { type: 'virtual' }),
    port('r2', 'Ethernet1', { mtu: 9000 }),
    port('r2', 'Ethernet2', { mode: 'access', untagged_vlan: { vid: 20 }, mtu: 9000 }),
    port('r2', 'Ethernet3'),
    port('r2', 'Ethernet3.100', { type: 'virtual', parent: at('r2', 'Ethernet3') }),
    port('r2', 'mgmt0', { mgmt_only: true, vrf: { name: 'Management' } }),
    port('r2', 'Loopback0', { type: 'virtual' }),
    port('r3', 'Ethernet1'),
    port('r3', 'Ethernet2'),
    port('r3', 'Ethernet3'),
    port('r3', 'uplink', { enabled: false }),
    port('r3', 'mgmt0', { mgmt_only: true }),
    port('r3', 'Loopback0', { type: 'virtual' }),
    port('r4', 'Ethernet1'),
    port('sw-01a', 'Ethernet1', { mtu: 9000, lag: at('sw-01a', 'Port-channel1') }),
    port('sw-01a', 'Ethernet2', { lag: at('sw-01a', 'Port-channel1') }),
    port('sw-01a', 'Port-channel1', { type: 'lag' }),
    port('sw-01b', 'Ethernet1', { mtu: 1500, lag: at('sw-01b', 'Port-channel1') }),
    port('sw-01b', 'Ethernet2'),
    port('sw-01b', 'Port-channel1', { type: 'lag' }),
    port('sw-01b', 'wlan0', { type: 'ieee802.11ax' }),
    port('SW_02', 'Ethernet1', { mode: 'access' }),
    port('SW_02', 'Ethernet2'),
    port('SW_02', 'Ethernet3'),
    port('SW_02', 'Ethernet4', { mode: 'tagged' }),
    port('SW_02', 'Ethernet5', { mode: 'tagged' }),
    port('leaf1', 'Ethernet1'),
    port('leaf1', 'Ethernet2'),
    port('leaf2', 'Ethernet1'),
    port('spine1', 'Ethernet1'),
    port('spine1', 'Ethernet2'),
    port('spine2', 'Ethernet1'),
    port('srv1', 'Ethernet1', { enabled: false, vrf: { name: 'Restricted' } }),
  ],
  'dcim.rearport': ['R1', 'R2', 'R3', 'R4', 'R5'].map((name) => ({ ...at('panel', name), type: 'lc', positions: 1 })),
  'dcim.frontport': ['F1', 'F2', 'F4'].map((name) => ({ ...at('panel', name), type: 'lc', positions: 1 })),
  'ipam.ipaddress': [
    address('10.0.0.0/31', ['r1', 'Ethernet1']),
    address('10.0.0.1/31', ['r2', 'Ethernet1']),
    address('2001:db8:1::1/64', ['r2', 'Ethernet1']),
    address('10.0.1.1/24', ['r1', 'Ethernet3']),
    address('10.0.1.2/24', ['r3', 'Ethernet1']),
    address('10.9.9.1/24', ['r1', 'mgmt0'], 'Management'),
    address('10.9.9.2/24', ['r2', 'mgmt0']),
    address('10.8.8.1/24', ['r1', 'management-in-name-only1'], 'Core'),
    address('10.0.2.1/24', ['r2', 'Ethernet3.100']),
    address('10.255.0.1/32', ['r1', 'Loopback0']),
    address('192.168.255.2/24', ['r2', 'Loopback0']),
    { address: '10.9.0.1/24', vrf: { name: 'Core' } },
    { address: '10.9.0.1/25', vrf: { name: 'Core' }, status: 'reserved' },
    { address: '10.9.0.2/24', vrf: { name: 'Core' } },
    { address: '10.9.0.3/24', vrf: { name: 'Core' }, role: 'vrrp' },
    { address: '192.0.2.7/24', status: 'reserved' },
    { address: '2001:db8::7/64' },
    address('10.6.0.1/24', ['srv1', 'Ethernet1'], 'Restricted'),
    address('10.5.0.1/24', ['r3', 'uplink']),
    ...[1, 2, 3, 4, 5, 6].map((host) => ({ address: `10.7.0.${host}/29`, status: 'reserved' })),
  ],
  'ipam.role': [named('users'), named('restricted')],
  'ipam.prefix': [
    { prefix: '10.0.0.0/24', role: { slug: 'users' } },
    { prefix: '10.0.1.0/24' },
    { prefix: '10.0.0.0/8', status: 'container' },
    { prefix: '192.168.0.0/16', status: 'container' },
    { prefix: '2001:db8::/32', status: 'container' },
    { prefix: '10.8.0.0/15', vrf: { name: 'Core' }, status: 'container' },
    { prefix: '10.9.9.0/24', vrf: { name: 'Management' }, role: { slug: 'users' } },
    { prefix: '10.7.0.0/29', role: { slug: 'users' } },
    { prefix: '10.6.0.0/24', vrf: { name: 'Restricted' }, role: { slug: 'restricted' } },
    { prefix: '10.5.0.0/24', role: { slug: 'restricted' } },
  ],
  'ipam.rir': [
    { ...named('private'), is_private: true },
    { ...named('public'), is_private: false },
  ],
  'ipam.asn': [
    { asn: 64_512, rir: { slug: 'private' } },
    { asn: 4_200_000_001, rir: { slug: 'public' } },
    { asn: 3320, rir: { slug: 'public' } },
  ],
  'extras.configcontext': [
    { name: 'Global', data: { ntp: { servers: ['10.0.0.1'] }, syslog: { servers: ['10.0.0.2'] } } },
    { name: 'Global too', data: { ntp: { servers: '10.0.0.1' } } },
    { name: 'Leaky', data: { admin_password: 'known', snmp: { community: 'public' } } },
    { name: 'Hashed', data: { admin_password: '$6$salt$hash', snmp: { community: '$vault' } } },
  ],
  'ipam.service': ['SSH', 'Telnet'].map((name, index) => ({
    ...{ name, protocol: 'tcp', ports: [22 + index] },
    ...{ parent_object_type: 'dcim.device', parent_object_id: { name: 'r1' } },
  })),
  'dcim.powerpanel': ['panel-a', 'panel-b'].map((name) => ({ name, site: { slug: 'full' } })),
  'dcim.powerfeed': [
    feed('a1', 'panel-a', inRack('k1')),
    feed('b1', 'panel-b', inRack('k1')),
    feed('a2', 'panel-a', inRack('k2')),
    feed('a3', 'panel-a', inRack('k3')),
    feed('a4', 'panel-a', inRack('k3')),
    feed('c1', 'panel-b'),
    feed('c2', 'panel-b'),
  ],
  'dcim.powerport': [
    ...['pdu1', 'pdu2', 'pdu3'].map((name) => at(name, 'Inlet')),
    ...['r1', 'r2'].flatMap((name) => [at(name, 'PSU1'), at(name, 'PSU2')]),
    at('r3', 'PSU1'),
    { ...at('srv1', 'PSU1'), allocated_draw: 400, maximum_draw: 500 },
    at('srv2', 'PSU2'),
    { ...at('srv2', 'PSU1'), allocated_draw: 4000, maximum_draw: 5000 },
  ],
  'dcim.poweroutlet': [
    ...['pdu1', 'pdu2', 'pdu3'].map((name) => ({ ...at(name, 'Out1'), power_port: at(name, 'Inlet') })),
    at('pdu2', 'Removed'),
  ],
  'dcim.consoleport': [at('r1', 'Console'), at('r2', 'Console')],
  'dcim.consoleserverport': [at('srv1', 'Port1')],
  'circuits.provider': [named('acme'), named('bolt')],
  'circuits.circuittype': [named('internet')],
  'circuits.circuit': [
    circuit('F-1', 'acme'),
    circuit('F-2', 'bolt'),
    circuit('S-1', 'acme'),
    circuit('X-1', 'acme'),
    circuit('X-2', 'acme'),
    circuit('P-1', 'acme', 'planned'),
  ],
  'circuits.providernetwork': [{ name: 'Cloud', provider: { slug: 'acme' } }],
  'circuits.circuittermination': [
    end('F-1', 'A', 'dcim.site', { slug: 'full' }),
    end('F-1', 'Z', 'circuits.providernetwork', { name: 'Cloud' }),
    end('F-2', 'A', 'dcim.location', { slug: 'hall' }),
    end('S-1', 'A', 'dcim.site', { slug: 'single' }),
    end('X-1', 'A', 'dcim.site', { slug: 'same' }),
    end('X-2', 'A', 'dcim.site', { slug: 'same' }),
    end('P-1', 'A', 'dcim.site', { slug: 'bare' }),
  ],
  'tenancy.contact': [{ name: 'Ann' }],
  'tenancy.contactrole': [named('owner')],
  'tenancy.contactassignment': [
    {
      ...{ object_type: 'dcim.site', object_id: { slug: 'full' } },
      ...{ contact: { name: 'Ann' }, role: { slug: 'owner' } },
    },
  ],
  'dcim.cable': [
    cable(interfaceOf('r1', 'Ethernet1'), interfaceOf('r2', 'Ethernet1'), { label: 'whole' }),
    cable(powerOf('srv2', 'PSU2'), outletOf('pdu2', 'Removed'), { label: 'torn' }),
    cable(interfaceOf('r1', 'Ethernet2'), interfaceOf('sw-01a', 'Ethernet1')),
    cable(interfaceOf('r2', 'Ethernet2'), interfaceOf('sw-01b', 'Ethernet1')),
    cable(interfaceOf('r2', 'Ethernet3'), interfaceOf('sw-01a', 'Ethernet2')),
    cable(interfaceOf('r1', 'Ethernet3'), interfaceOf('r3', 'Ethernet1')),
    cable(interfaceOf('r1', 'mgmt0'), interfaceOf('r2', 'mgmt0')),
    // Through a patch panel.
    cable(interfaceOf('sw-01b', 'Ethernet2'), frontOf('F1')),
    cable(rearOf('R1'), interfaceOf('r3', 'Ethernet2')),
    // Through a patch panel to a circuit.
    cable(interfaceOf('r4', 'Ethernet1'), frontOf('F4')),
    cable(rearOf('R4'), circuitEnd('X-1')),
    // To a patch panel, and no further.
    cable(interfaceOf('SW_02', 'Ethernet2'), frontOf('F2')),
    cable(interfaceOf('SW_02', 'Ethernet1'), rearOf('R3')),
    cable(interfaceOf('r3', 'Ethernet3'), circuitEnd('S-1')),
    cable(interfaceOf('SW_02', 'Ethernet3'), circuitEnd('F-1')),
    cable(interfaceOf('leaf1', 'Ethernet1'), interfaceOf('spine1', 'Ethernet1')),
    cable(interfaceOf('leaf1', 'Ethernet2'), interfaceOf('spine2', 'Ethernet1')),
    cable(interfaceOf('leaf2', 'Ethernet1'), interfaceOf('spine1', 'Ethernet2'), {
      label: 'planned',
      status: 'planned',
    }),
    cable(powerOf('pdu1', 'Inlet'), feedOf('a1')),
    cable(powerOf('pdu2', 'Inlet'), feedOf('b1')),
    cable(powerOf('r1', 'PSU1'), outletOf('pdu1', 'Out1')),
    cable(powerOf('r1', 'PSU2'), outletOf('pdu2', 'Out1')),
    cable(powerOf('r2', 'PSU1'), outletOf('pdu3', 'Out1')),
    cable(powerOf('srv1', 'PSU1'), feedOf('c1')),
    cable(powerOf('srv2', 'PSU1'), feedOf('c2')),
    cable(['dcim.consoleport', at('r1', 'Console')], ['dcim.consoleserverport', at('srv1', 'Port1')]),
  ],
}
