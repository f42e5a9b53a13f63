/** The configuration of Kea from prefixes, ranges and addresses. */
import {
  formatInterface,
  formatIp,
  type Interface,
  type JsonObject,
  lastOf,
  parseInterface,
  type Sql,
  sql,
  storedInterface,
  table,
  widthOf,
} from 'cadastre'

export type Family = 4 | 6

/** Reads rows of a statement, each a list of its columns. */
export type ReadRows = <Row extends readonly unknown[]>(statement: Sql) => Promise<readonly Row[]>

/** The settings of the pack. */
export type DhcpSettings = Readonly<Record<string, unknown>>

interface Subnet {
  readonly id: number
  readonly network: Interface
  readonly description: string
  readonly pools: (readonly [first: bigint, last: bigint])[]
  readonly routers: string[]
  readonly reserved: Set<string>
  /** By MAC address. */
  readonly reservations: Map<string, { readonly addresses: string[]; hostname: string }>
}

type PrefixRow = readonly [id: number, prefix: string, description: string]
type RangeRow = readonly [start: string, end: string]
type AddressRow = readonly [address: string, status: string, name: string, isRouter: boolean, mac: string | null]

/** Roles of addresses that several routers share. */
const SHARED_ROLES = ['vip', 'vrrp', 'hsrp', 'glbp', 'carp']

/** The subnets with a pool or a reservation. `condition`: on the prefixes `t`; all of one VRF. */
async function subnetsOf(read: ReadRows, { family, vrf, condition, settings }: Wanted): Promise<readonly Subnet[]> {
  const inVrf = vrf === null ? sql`t.vrf_id is null` : sql`t.vrf_id = ${vrf}::bigint`
  const [role, tag] = [String(settings.pool_role), String(settings.gateway_tag)]
  const prefixes = await read<PrefixRow>(sql`
    select t.id, t.prefix::text, t.description from ${table('ipam.prefix')} t
    where ${inVrf} and family(t.prefix) = ${family}::int and t.status <> 'container' and ${condition} order by t.prefix, t.id`)
  const ranges = await read<RangeRow>(sql`
    select host(t.start_address), host(t.end_address) from ${table('ipam.iprange')} t
    where ${inVrf} and family(t.start_address) = ${family}::int and t.status = 'active'
      and ${role === '' ? sql`true` : sql`exists (select from ${table('ipam.role')} r where r.id = t.role_id and r.slug = ${role})`}
    order by t.start_address, t.id`)
  const addresses = await read<AddressRow>(sql`
    select host(t.address), t.status, t.dns_name,
      t.role = any(${SHARED_ROLES}::text[]) or exists (
        select from ${table('extras.taggeditem')} i join ${table('extras.tag')} g on g.id = i.tag_id
        where i.object_type = 'ipam.ipaddress' and i.object_id = t.id and g.slug = ${tag}),
      m.mac_address::text
    from ${table('ipam.ipaddress')} t
    left join ${table('dcim.interface')} p on p.id = t.assigned_object_id and t.assigned_object_type = 'dcim.interface'
    left join ${table('virtualization.vminterface')} v
      on v.id = t.assigned_object_id and t.assigned_object_type = 'virtualization.vminterface'
    left join ${table('dcim.macaddress')} m on m.id = coalesce(p.primary_mac_address_id, v.primary_mac_address_id)
    where ${inVrf} and family(t.address) = ${family}::int and t.status <> 'deprecated' order by t._host, t.id`)
  const subnets = prefixes.map(
    ([id, prefix, description]): Subnet => ({
      ...{ id: Number(id), network: storedInterface(prefix), description, pools: [], routers: [] },
      ...{ reserved: new Set(), reservations: new Map() },
    }),
  )
  const find = finderOf(subnets)
  for (const [start, end] of ranges) {
    const [first, last] = [storedInterface(start).value, storedInterface(end).value]
    const subnet = find(first)
    if (subnet && last <= lastOf(subnet.network).value) subnet.pools.push([first, last])
  }
  for (const row of addresses) addAddress(find(storedInterface(row[0]).value), row, settings)
  return subnets.filter(({ pools, reservations }) => pools.length > 0 || reservations.size > 0)
}

function addAddress(
  subnet: Subnet | undefined,
  [text, status, name, isRouter, mac]: AddressRow,
  settings: DhcpSettings,
): void {
  if (!subnet) return
  const { value } = storedInterface(text)
  if (isRouter) subnet.routers.push(text)
  const isReserved = mac !== null && !isRouter && (status === 'dhcp' || settings.reservations === 'all')
  if (isReserved) {
    // Kea refuses an address twice, which hosts may share here.
    if (subnet.reserved.has(text)) return
    subnet.reserved.add(text)
    const hardware = mac.toLowerCase()
    const reservation = subnet.reservations.get(hardware)
    if (reservation) reservation.addresses.push(text)
    else subnet.reservations.set(hardware, { addresses: [text], hostname: name.replace(/\.$/, '') })
  } else if (status === 'dhcp' && !subnet.pools.some(([first, last]) => value >= first && value <= last)) {
    // Addresses are in ascending order: the next one extends the pool of the last one.
    const last = subnet.pools.at(-1)
    if (last && last[1] === value - 1n) subnet.pools.splice(-1, 1, [last[0], value])
    else subnet.pools.push([value, value])
  }
}

/** Finds the smallest subnet that contains an address. */
function finderOf(subnets: readonly Subnet[]): (value: bigint) => Subnet | undefined {
  const byPlace = new Map(subnets.map((subnet) => [placeOf(subnet.network), subnet]))
  const lengths = [...new Set(subnets.map(({ network }) => network.length))].sort((left, right) => right - left)
  const family = subnets[0]?.network.family ?? 4
  return (value) => {
    for (const length of lengths) {
      const host = BigInt(widthOf(family) - length)
      const subnet = byPlace.get(placeOf({ family, length, value: (value >> host) << host }))
      if (subnet) return subnet
    }
    return undefined
  }
}

const placeOf = ({ value, length }: Interface): string => `${value}/${length}`

export interface Wanted {
  readonly family: Family
  readonly vrf: number | null
  readonly condition: Sql
  readonly settings: DhcpSettings
}

/** The subnets in Kea's form. */
export async function keaSubnets(read: ReadRows, wanted: Wanted): Promise<readonly JsonObject[]> {
  const { family } = wanted
  const text = (value: bigint): string => formatIp({ family, value })
  return (await subnetsOf(read, wanted)).map(({ id, network, description, pools, routers, reservations }) => ({
    id,
    subnet: formatInterface(network),
    ...(description !== '' && { 'user-context': { description } }),
    pools: pools.map(([first, last]) => ({ pool: `${text(first)} - ${text(last)}` })),
    ...(family === 4 && routers.length > 0 && { 'option-data': [{ name: 'routers', data: routers.join(', ') }] }),
    reservations: [...reservations].map(([hardware, { addresses, hostname }]) => ({
      'hw-address': hardware,
      // DHCPv4 gives an interface one address.
      ...(family === 4 ? { 'ip-address': addresses[0] ?? '' } : { 'ip-addresses': addresses }),
      ...(hostname !== '' && { hostname }),
    })),
  }))
}

/** A whole configuration, without the interfaces on which the server listens. */
export async function keaConfiguration(read: ReadRows, wanted: Wanted): Promise<JsonObject> {
  const { family, settings } = wanted
  const servers = String(settings.dns_servers)
    .split(',')
    .flatMap((server) => {
      const address = parseInterface(server.trim())
      // Kea takes no lengths of networks.
      return address?.family === family ? [formatIp(address)] : []
    })
  const domain = String(settings.domain)
  const names = family === 4 ? ['domain-name-servers', 'domain-name'] : ['dns-servers', 'domain-search']
  const options = [
    ...(servers.length > 0 ? [{ name: names[0] ?? '', data: servers.join(', ') }] : []),
    ...(domain !== '' ? [{ name: names[1] ?? '', data: domain }] : []),
  ]
  return {
    [`Dhcp${family}`]: {
      'valid-lifetime': Number(settings.lifetime),
      'host-reservation-identifiers': ['hw-address'],
      'option-data': options,
      [`subnet${family}`]: [...(await keaSubnets(read, wanted))],
    },
  }
}
