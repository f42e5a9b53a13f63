import { join, type Sql, sql, table } from 'cadastre'
import { PATH_ENDPOINTS } from 'cadastre/models/dcim/cabling/cable-end-types'

/** Kinds of links that a topology shows. */
export const LINK_KINDS = ['network', 'power', 'console', 'circuits', 'wireless'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** Types of ports by the kind of their cables; all others carry data. */
const KIND_OF_PORT: Readonly<Record<string, LinkKind>> = {
  'dcim.powerport': 'power',
  'dcim.poweroutlet': 'power',
  'dcim.powerfeed': 'power',
  'dcim.consoleport': 'console',
  'dcim.consoleserverport': 'console',
}

/** Kind of the cables that end at ports of the type. */
export const kindOfPort = (type: string): LinkKind => KIND_OF_PORT[type] ?? 'network'

/** Models that a topology shows. */
export const TOPOLOGY_MODELS = {
  cable: 'dcim.cable',
  circuit: 'circuits.circuit',
  device: 'dcim.device',
  location: 'dcim.location',
  provider: 'circuits.provider',
  rack: 'dcim.rack',
  site: 'dcim.site',
  wirelessLink: 'wireless.wirelesslink',
} as const

const ENDS = table('dcim.cabletermination')

/** The port of a row of `ENDS`, as in the paths of cables. */
const PORT = {
  a: sql`a.termination_type || ':' || a.termination_id`,
  b: sql`b.termination_type || ':' || b.termination_id`,
  d: sql`d.termination_type || ':' || d.termination_id`,
  x: sql`x.termination_type || ':' || x.termination_id`,
} as const

/**
 * Cables between two of the devices: both devices, the cable, the type of the port at its A side, a port at each side
 * as `app.model:id`. A cable with several ports at a side has several rows.
 */
export const cablesBetween = (devices: readonly number[]): Sql => sql`
  select a._device_id, b._device_id, a.cable_id, a.termination_type, ${PORT.a}, ${PORT.b}
  from ${ENDS} a join ${ENDS} b on b.cable_id = a.cable_id and b.cable_end = 'B'
  where a.cable_end = 'A' and a._device_id = any(${devices}::bigint[])
    and b._device_id = any(${devices}::bigint[]) and a._device_id <> b._device_id`

/**
 * Cables from one of the devices to a circuit: the device, the circuit, the cable, its port, the end of the circuit,
 * and its provider.
 */
export const cablesToCircuits = (devices: readonly number[]): Sql => sql`
  select d._device_id, t.circuit_id, d.cable_id, ${PORT.d}, ${PORT.x}, c.provider_id
  from ${ENDS} d join ${ENDS} x on x.cable_id = d.cable_id and x.cable_end <> d.cable_end
  join ${table('circuits.circuittermination')} t on t.id = x.termination_id
  join ${table('circuits.circuit')} c on c.id = t.circuit_id
  where x.termination_type = 'circuits.circuittermination' and d._device_id = any(${devices}::bigint[])`

/** Ports of devices at which paths start and end. */
const PATH_PORTS = PATH_ENDPOINTS.filter((type) => type !== 'dcim.powerfeed')

/**
 * Complete paths between ports of two of the devices: both devices, the path, the type of the port at its start, the
 * nodes of the path, both ports.
 */
export function pathsBetween(devices: readonly number[]): Sql {
  const ports = PATH_PORTS.map(
    (type) => sql`
      select ${`${type}:`}::text || t.id as node, ${type}::text as type, t.device_id, t._path_id
      from ${table(type)} t where t.device_id = any(${devices}::bigint[]) and t._path_id is not null`,
  )
  // A path is stored from both of its ends.
  return sql`
    with port as (${join(ports, ' union all ')})
    select a.device_id, b.device_id, p.id, a.type, p._nodes, a.node, b.node
    from port a
    join ${table('dcim.cablepath')} p on p.id = a._path_id and p.is_complete
    cross join lateral jsonb_array_elements_text(p.path -> -1) as far(node)
    join port b on b.node = far.node
    where a.device_id < b.device_id`
}

/** Devices of front and rear ports: the id of each device once. */
export const devicesOfPorts = (fronts: readonly number[], rears: readonly number[]): Sql => sql`
  select t.device_id from ${table('dcim.frontport')} t where t.id = any(${fronts}::bigint[])
  union select t.device_id from ${table('dcim.rearport')} t where t.id = any(${rears}::bigint[])`

/** Wireless links between two of the devices: both devices, the link, both interfaces. */
export const wirelessBetween = (devices: readonly number[]): Sql => sql`
  select a.device_id, b.device_id, w.id, 'dcim.interface:' || a.id, 'dcim.interface:' || b.id
  from ${table('wireless.wirelesslink')} w
  join ${table('dcim.interface')} a on a.id = w.interface_a_id
  join ${table('dcim.interface')} b on b.id = w.interface_b_id
  where a.device_id = any(${devices}::bigint[]) and b.device_id = any(${devices}::bigint[])
    and a.device_id <> b.device_id`

/** The place of devices that a predicate over `t` selects: id, site, location, rack, role. At most `limit` of them. */
export const placesOfDevices = (where: Sql | undefined, limit: number): Sql => sql`
  select t.id, t.site_id, t.location_id, t.rack_id, t.role_id
  from ${table('dcim.device')} t
  ${where ? sql`where ${where}` : sql``} order by t.id limit ${limit}::bigint`
