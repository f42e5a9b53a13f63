import { choices } from '../../schema/choices.ts'
import { comments, coordinates, description, housekeeping, owner, PRIMARY, tenantOptions } from '../../schema/common.ts'
import type { BatchQuery } from '../../schema/computed.ts'
import { choice, computed, counter, decimal, foreignKey, integer, json, text } from '../../schema/field.ts'
import {
  booleanFilter,
  byIdAnd,
  hardwareAddressFilter,
  present,
  related,
  relatedTree,
  textFilter,
} from '../../schema/filter.ts'
import { model, type SearchTerm } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { configContextOf } from '../extras/config-context-of.ts'
import { leadsToHost } from '../ipam/address-search.ts'
import { hasPrimaryAddress, PRIMARY_ADDRESS_FIELDS, primaryAddresses } from '../ipam/primary-address.ts'
import { deviceAirflow, deviceStatus } from './choices.ts'
import { devicePresenceFilters } from './component-presence.ts'
import { coolingMethod } from './cooling.ts'

const DEVICE = ['id', 'url', 'display_url', 'display', 'name'] as const
const BAY = ['id', 'url', 'display_url', 'display', ['device', DEVICE], 'name'] as const

const NAMED = {
  id: { type: 'integer' },
  url: { type: 'string', format: 'uri' },
  display_url: { type: 'string', format: 'uri' },
  display: { type: 'string' },
  name: { type: 'string', nullable: true },
}

/** The bay in which a device is installed, and the device of that bay. */
const ofBay: BatchQuery = (ids) => sql`
  select b.installed_device_id, b.id, b.device_id
  from ${table('dcim.devicebay')} b
  where b.installed_device_id = any(${ids}::bigint[])`

/** The device in whose bay a device is installed, with the bay. */
const parentDevice = computed(
  {
    type: 'object',
    nullable: true,
    readOnly: true,
    properties: {
      ...NAMED,
      device_bay: {
        type: 'object',
        properties: { ...NAMED, device: { type: 'object', properties: NAMED } },
      },
    },
  },
  async (_ids, { results, nested }) => {
    const bays = [...(await results(ofBay))].flatMap(([child, parentBays]) =>
      parentBays.map(([bay, parent]) => ({ child, bay: Number(bay), parent: Number(parent) })),
    )
    if (bays.length === 0) return new Map()
    const [devices, bayTexts] = await Promise.all([
      nested(
        'dcim.device',
        bays.map(({ parent }) => parent),
        DEVICE,
      ),
      nested(
        'dcim.devicebay',
        bays.map(({ bay }) => bay),
        BAY,
      ),
    ])
    return new Map(
      bays.flatMap(({ child, bay, parent }) => {
        const [device, bayText] = [devices.get(parent), bayTexts.get(bay)]
        if (device === undefined || bayText === undefined) return []
        return [[child, `${device.slice(0, -1)},"device_bay":${bayText}}`] as const]
      }),
    )
  },
  { queries: [ofBay] },
)

/**
 * Display text of a device. Unnamed devices are common, so it is the first of these that exists: name, position in the
 * virtual chassis, make and model.
 */
const displayOfDevice = (column: ColumnOf): Sql => sql`coalesce(
  coalesce(
    nullif(${column('name')}, ''),
    ${column('virtual_chassis.name')} || ':' || ${column('vc_position')}
  ) || coalesce(' (' || nullif(${column('asset_tag')}, '') || ')', ''),
  ${column('device_type.manufacturer.name')} || ' ' || ${column('device_type.model')}
    || ' (' || coalesce(nullif(${column('asset_tag')}, ''), ${column('id')}::text) || ')'
)`

/** A device without a name is found by what is shown instead: `core:2`, `Juniper EX4300 (17)`. */
const displayOfUnnamed: SearchTerm = (column, value) => {
  if (!/[:(]/.test(value)) return sql`false`
  const display = sql`(${displayOfDevice(column)}) collate "default"`
  return sql`(coalesce(${column('name')}, '') = '' and strpos(lower(${display}), lower(${value.trim()})) > 0)`
}

const deviceFace = choices([
  ['front', 'Front'],
  ['rear', 'Rear'],
])

/** A piece of hardware. It always has a site, and optionally a rack, face and position. */
export const device = model({
  name: 'dcim.device',
  path: 'dcim/devices',
  labels: ['device', 'devices'],
  about: 'A switch, a router, a server, a patch panel or other hardware.',
  displayName: true,
  earlier: { without: ['cooling_method', 'cooling_intake_count', 'cooling_outflow_count'] },

  fields: {
    name: text({ max: 64, nullable: true, blank: true, collation: 'natural' }),
    device_type: foreignKey('dcim.devicetype', { related: 'instances' }),
    role: foreignKey('dcim.devicerole', { related: 'devices' }),
    tenant: foreignKey('tenancy.tenant', {
      ...tenantOptions,
      related: 'devices',
      resetOnPut: true,
    }),
    platform: foreignKey('dcim.platform', { onDelete: 'setNull', related: 'devices' }),
    serial: text({ max: 50, default: '', label: 'Serial number' }),
    asset_tag: text({ max: 50, nullable: true, unique: true, blank: true }),
    site: foreignKey('dcim.site', { related: 'devices' }),
    location: foreignKey('dcim.location', { related: 'devices', nullable: true, resetOnPut: true }),
    rack: foreignKey('dcim.rack', { related: 'devices', nullable: true, resetOnPut: true }),
    position: decimal({
      example: null,
      digits: 4,
      places: 1,
      range: [1, 100.5],
      nullable: true,
      resetOnPut: true,
      label: 'Position (U)',
    }),
    face: choice(deviceFace, {
      example: null,
      nullable: true,
      blank: true,
      default: '',
      resetOnPut: true,
      filter: 'single',
    }),
    latitude: decimal(coordinates.latitude),
    longitude: decimal(coordinates.longitude),
    parent_device: parentDevice,
    status: choice(deviceStatus, { default: 'active' }),
    airflow: choice(deviceAirflow, { nullable: true, blank: true, filter: 'single' }),
    cooling_method: choice(coolingMethod, { nullable: true, blank: true, filter: 'single' }),
    ...primaryAddresses,
    oob_ip: foreignKey('ipam.ipaddress', {
      onDelete: 'setNull',
      related: '+',
      unique: true,
      projection: PRIMARY_ADDRESS_FIELDS,
    }),
    cluster: foreignKey('virtualization.cluster', { onDelete: 'setNull', related: 'devices' }),
    virtual_chassis: foreignKey('dcim.virtualchassis', {
      onDelete: 'setNull',
      related: 'members',
      resetOnPut: true,
    }),
    vc_position: integer({ range: [0, 255], nullable: true, resetOnPut: true }),
    vc_priority: integer({ size: 'small', range: [0, 255], nullable: true, label: 'VC priority' }),
    description,
    owner,
    comments,
    config_template: foreignKey('extras.configtemplate', {
      related: 'devices',
      nullable: true,
      resetOnPut: true,
    }),
    config_context: configContextOf('dcim.device'),
    local_context_data: json({ nullable: true }),
    ...housekeeping,
    console_port_count: counter('dcim.consoleport', 'device'),
    console_server_port_count: counter('dcim.consoleserverport', 'device'),
    power_port_count: counter('dcim.powerport', 'device'),
    power_outlet_count: counter('dcim.poweroutlet', 'device'),
    cooling_intake_count: counter('dcim.coolingintake', 'device'),
    cooling_outflow_count: counter('dcim.coolingoutflow', 'device'),
    interface_count: counter('dcim.interface', 'device'),
    front_port_count: counter('dcim.frontport', 'device'),
    rear_port_count: counter('dcim.rearport', 'device'),
    device_bay_count: counter('dcim.devicebay', 'device'),
    module_bay_count: counter('dcim.modulebay', 'device'),
    inventory_item_count: counter('dcim.inventoryitem', 'device'),
  },

  display: displayOfDevice,
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name', 'id'],
  indexes: [
    { fields: ['serial'] },
    ...['serial', 'asset_tag', 'description', 'comments'].map((partsOf) => ({ partsOf })),
  ],
  search: [
    'name',
    'virtual_chassis.name',
    'serial',
    'asset_tag',
    'description',
    'comments',
    leadsToHost('primary_ip4', 'primary_ip6'),
    displayOfUnnamed,
  ],
  unique: [
    { fields: ['name', 'site', 'tenant'], ignoreCase: ['name'] },
    { fields: ['name', 'site'], ignoreCase: ['name'], whereNull: ['tenant'] },
    { fields: ['rack', 'position', 'face'] },
    { fields: ['virtual_chassis', 'vc_position'] },
  ],

  filters: {
    ...devicePresenceFilters,
    local_context_data: present('local_context_data'),
    primary_ip4: related('primary_ip4', 'ipam.ipaddress', 'address'),
    primary_ip6: related('primary_ip6', 'ipam.ipaddress', 'address'),
    ...byIdAnd('slug', 'manufacturer', related('device_type.manufacturer', 'dcim.manufacturer')),
    parent_device_id: related('parent_bay.device', 'dcim.device'),
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
    parent_bay_id: related('parent_bay', 'dcim.devicebay'),
    cluster_group: related('cluster.group', 'virtualization.clustergroup', 'slug'),
    cluster_group_id: related('cluster.group', 'virtualization.clustergroup'),
    model: related('device_type', 'dcim.devicetype', 'slug'),
    name: textFilter('name', { default: 'ie' }),
    is_full_depth: booleanFilter('device_type.is_full_depth'),
    mac_address: hardwareAddressFilter('interfaces.mac_addresses.mac_address'),
    serial: textFilter('serial', { default: 'ie' }),
    has_primary_ip: hasPrimaryAddress,
    has_oob_ip: present('oob_ip'),
    virtual_chassis_member: present('virtual_chassis'),
    has_virtual_device_context: present('vdcs'),
  },
  firstErrorOnly: true,
  features: [...PRIMARY, 'contacts', 'configContext', 'imageAttachments'],
  actions: ['render_config'],
})
