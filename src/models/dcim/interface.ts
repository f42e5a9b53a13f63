import { choices } from '../../schema/choices.ts'
import { description } from '../../schema/common.ts'
import {
  boolean,
  choice,
  decimal,
  foreignKey,
  hardwareAddress,
  integer,
  manyToMany,
  relatedCount,
  reverse,
} from '../../schema/field.ts'
import { byIdAnd, custom, hardwareAddressFilter, related } from '../../schema/filter.ts'
import { sql } from '../../sql/fragment.ts'
import { wirelessChannel } from '../wireless/choices/wireless-channel.ts'
import { wirelessRole } from '../wireless/choices.ts'
import {
  cabled,
  connectedEndpoints,
  interfaceLinkFilters,
  linkPeers,
  occupiedByLink,
  pathFilters,
  pathStart,
} from './cabling/cabled.ts'
import { earlierInterfaceType, interfaceType } from './choices/interface-type.ts'
import { interfaceMode, interfacePoeMode, interfacePoeType } from './choices.ts'
import { component, INSTALLED_IN, labelled, ofDevice } from './component.ts'
import { isVirtual, isWireless } from './interface-kind.ts'
import { storedNameOrder } from './interface-name-order.ts'
import { chassisFilters, interfaceVlanFilters } from './interfaces-of-devices.ts'
import { earlierPrimaryMac, primaryMac } from './primary-mac.ts'

type Predicate = (type: string) => boolean

const KINDS: Readonly<Record<string, Predicate>> = {
  virtual: isVirtual,
  wireless: isWireless,
  physical: (type) => !isVirtual(type) && !isWireless(type),
}

const interfaceKind = choices([
  ['physical', 'Physical'],
  ['virtual', 'Virtual'],
  ['wireless', 'Wireless'],
])

/** `physical`, `virtual` or `wireless`; other values match nothing, and nothing matches channels. */
const kindFilter = custom({
  value: 'text',
  choices: interfaceKind,
  multiple: false,
  where: ({ column }, [kind]) => {
    const isWanted: Predicate = KINDS[String(kind)] ?? (() => false)
    const types = interfaceType.list.map(({ value }) => value).filter(isWanted)
    return sql`${column('type')} = any(${types}::text[]) and ${column('channel_id')} is null`
  },
})

const interfaceDuplex = choices([
  ['half', 'Half'],
  ['full', 'Full'],
  ['auto', 'Auto'],
])

const SHORT_INTERFACE = [
  'id',
  'url',
  'display_url',
  'display',
  ['device', ['id', 'url', 'display_url', 'display', 'name']],
  'name',
  ['cable', 'bare'],
  ['_occupied', 'bare'],
] as const

/** A port, two ends of wireless links and two ends of virtual circuits. */
const EXAMPLE_TYPES = ['1000base-t', 'ieee802.11ac', 'ieee802.11ac', 'virtual', 'virtual'] as const

/** A device's network interface: physical, virtual, bridge, aggregate or wireless. */
export const deviceInterface = component({
  name: 'dcim.interface',
  path: 'dcim/interfaces',
  labels: ['interface', 'interfaces'],
  about: 'A network port of a device, physical or virtual.',
  earlier: {
    without: ['channels', 'channel_id'],
    fields: { type: choice(earlierInterfaceType, {}), mac_address: earlierPrimaryMac },
  },
  graphql: {
    enums: {
      poe_mode: ['InterfacePoEModeEnum', 'MODE'],
      poe_type: ['InterfacePoETypeEnum', ''],
      rf_channel: ['WirelessChannelEnum', 'CHANNEL'],
      rf_role: ['WirelessRoleEnum', 'ROLE'],
    },
  },

  fields: {
    ...ofDevice('interfaces'),
    vdcs: manyToMany('dcim.virtualdevicecontext', { related: 'interfaces' }),
    module: foreignKey('dcim.module', {
      onDelete: 'cascade',
      related: 'interfaces',
      nullable: true,
      projection: INSTALLED_IN,
    }),
    ...labelled,
    type: choice(interfaceType, { example: (n) => EXAMPLE_TYPES[n - 1] }),
    channels: integer({ size: 'small', range: [1, 1024], nullable: true, example: null }),
    channel_id: integer({ size: 'small', range: [1, 1024], nullable: true, example: null, label: 'Channel ID' }),
    enabled: boolean({ default: true }),
    parent: foreignKey('dcim.interface', {
      onDelete: 'restrict',
      related: 'child_interfaces',
      nullable: true,
      projection: SHORT_INTERFACE,
    }),
    bridge: foreignKey('dcim.interface', {
      onDelete: 'setNull',
      related: 'bridge_interfaces',
      projection: SHORT_INTERFACE,
    }),
    bridge_interfaces: reverse('dcim.interface', 'bridge', { projection: SHORT_INTERFACE }),
    lag: foreignKey('dcim.interface', {
      onDelete: 'setNull',
      related: 'member_interfaces',
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
    speed: integer({
      size: 'big',
      range: [0, Number.MAX_SAFE_INTEGER],
      nullable: true,
      label: 'Speed (Kbps)',
      unit: 'kbps',
    }),
    duplex: choice(interfaceDuplex, { nullable: true, blank: true }),
    wwn: hardwareAddress({ bytes: 8, nullable: true, resetOnPut: true }),
    mgmt_only: boolean({ default: false, label: 'Management only' }),
    description,
    mode: choice(interfaceMode, { nullable: true, blank: true }),
    rf_role: choice(wirelessRole, { nullable: true, max: 30, blank: true, example: null }),
    rf_channel: choice(wirelessChannel, { nullable: true, blank: true, example: null }),
    poe_mode: choice(interfacePoeMode, { nullable: true, blank: true }),
    poe_type: choice(interfacePoeType, { nullable: true, blank: true }),
    rf_channel_frequency: decimal({
      example: null,
      digits: 8,
      places: 3,
      nullable: true,
      label: 'Channel frequency (MHz)',
    }),
    rf_channel_width: decimal({
      example: null,
      digits: 7,
      places: 3,
      nullable: true,
      label: 'Channel width (MHz)',
    }),
    tx_power: integer({
      example: null,
      size: 'small',
      range: [-40, 127],
      nullable: true,
      label: 'Transmit power (dBm)',
    }),
    untagged_vlan: foreignKey('ipam.vlan', {
      onDelete: 'setNull',
      related: 'interfaces_as_untagged',
      filter: false,
    }),
    tagged_vlans: manyToMany('ipam.vlan', { related: 'interfaces_as_tagged' }),
    qinq_svlan: foreignKey('ipam.vlan', {
      onDelete: 'setNull',
      related: 'interfaces_svlan',
      filter: false,
    }),
    vlan_translation_policy: foreignKey('ipam.vlantranslationpolicy', { nullable: true }),
    ...cabled,
    wireless_link: foreignKey('wireless.wirelesslink', {
      onDelete: 'setNull',
      related: '+',
      readOnly: true,
      projection: ['id', 'url', 'display_url', 'display', 'ssid'],
    }),
    ...linkPeers('dcim.interface'),
    wireless_lans: manyToMany('wireless.wirelesslan', { related: 'interfaces' }),
    vrf: foreignKey('ipam.vrf', { onDelete: 'setNull', related: 'interfaces' }),
    l2vpn_termination: reverse('vpn.l2vpntermination', 'assigned_object', { single: true }),
    ...connectedEndpoints('dcim.interface'),
  },
  derived: {
    count_ipaddresses: relatedCount('ipam.ipaddress', 'assigned_object', { belongsToObject: true }),
    count_fhrp_groups: relatedCount('ipam.fhrpgroupassignment', 'interface', {
      belongsToObject: true,
    }),
    _occupied: occupiedByLink,
    ...pathStart,
    _name: storedNameOrder,
  },

  brief: ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied'],
  order: ['device', '_name'],
  unique: [{ fields: ['device', 'name'] }, { fields: ['parent', 'channel_id'] }],

  filters: {
    ...chassisFilters,
    ...interfaceVlanFilters('dcim.interface', 'interface_id'),
    ...interfaceLinkFilters,
    ...pathFilters,
    vrf: related('vrf', 'ipam.vrf', 'rd'),
    ...byIdAnd('identifier', 'l2vpn', related('l2vpn_terminations.l2vpn', 'vpn.l2vpn')),
    vlan_translation_policy: related('vlan_translation_policy', 'ipam.vlantranslationpolicy', 'name'),
    kind: kindFilter,
    mac_address: hardwareAddressFilter('mac_addresses.mac_address'),
    primary_mac_address: related('primary_mac_address', 'dcim.macaddress', 'mac_address'),
    vdc_id: related('vdcs', 'dcim.virtualdevicecontext'),
    vdc_identifier: related('vdcs', 'dcim.virtualdevicecontext', 'identifier'),
    vdc: related('vdcs', 'dcim.virtualdevicecontext', 'name'),
    wireless_lan_id: related('wireless_lans', 'wireless.wirelesslan'),
    virtual_circuit_id: related('virtual_circuit_termination.virtual_circuit', 'circuits.virtualcircuit'),
    virtual_circuit_termination_id: related('virtual_circuit_termination', 'circuits.virtualcircuittermination'),
  },
})
