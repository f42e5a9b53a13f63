import { type CustomFilter, custom, type FilterScope } from '../../schema/filter.ts'
import { parseInterface, parseIp } from '../../schema/net/ip.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Whether the host, an address without a mask, is in the network. As a range, which indexes on hosts can find. */
export const isHostInNetwork = (host: Sql, network: Sql): Sql =>
  sql`${host} between host(network(${network}))::inet and host(broadcast(${network}))::inet`

// Filters of addresses, ranges, prefixes and aggregates. An invalid address or network matches nothing; among several
// values it is ignored unless stated otherwise.

/** The value as an address with or without a mask; undefined for an invalid one. */
const addressOf = (value: unknown): string | undefined => {
  const text = String(value).trim()
  return parseInterface(text) || parseIp(text) ? text : undefined
}
const addressesOf = (values: readonly unknown[]): string[] => values.flatMap((value) => addressOf(value) ?? [])
const anyOf = (predicates: readonly Sql[]): Sql =>
  predicates.length === 0 ? sql`false` : sql`(${join(predicates, ' or ')})`

/** IP version, 4 or 6. */
export const familyFilter = (path: string): CustomFilter =>
  custom({
    value: 'integer',
    multiple: false,
    where: ({ column }, [family]) => sql`family(${column(path)}) = ${family}::bigint`,
  })

/** Number of leading bits that are fixed: equal, at least, at most. */
export const maskLengthFilters = (path: string) => ({
  mask_length: custom({
    value: 'integer',
    multiple: true,
    where: ({ column }, values) => sql`masklen(${column(path)}) = any(${values}::bigint[])`,
  }),
  mask_length__gte: custom({
    value: 'integer',
    multiple: true,
    where: ({ column }, values) => anyOf(values.map((value) => sql`masklen(${column(path)}) >= ${value}::bigint`)),
  }),
  mask_length__lte: custom({
    value: 'integer',
    multiple: true,
    where: ({ column }, values) => anyOf(values.map((value) => sql`masklen(${column(path)}) <= ${value}::bigint`)),
  }),
})

/**
 * Filter by address: exact with a mask, by host without one; `host` is the column with the host, if the model has
 * one.
 */
export const addressFilter = (path: string, host?: string): CustomFilter =>
  custom({
    value: 'text',
    multiple: true,
    example: '192.0.2.1',
    where: ({ column }, values) =>
      anyOf(
        addressesOf(values).map((value) =>
          value.includes('/')
            ? sql`${column(path)} = ${value}::inet`
            : sql`${host === undefined ? hostAt(column(path)) : column(host)} = host(${value}::inet)::inet`,
        ),
      ),
  })

const isNoAddress = (value: string): boolean => addressOf(value) === undefined

/** An address without its mask. */
const hostAt = (address: Sql): Sql => sql`host(${address})::inet`

/**
 * Whether all the addresses are in the network. One invalid network among the values makes the filter match nothing.
 */
export const insideFilter = (...paths: readonly string[]): CustomFilter =>
  inside(({ column }, network) =>
    join(
      paths.map((path) => sql`${hostAt(column(path))} <<= ${network}`),
      ' and ',
    ),
  )

/** The same for a column of hosts, whose index finds ranges. */
export const hostInsideFilter = (path: string): CustomFilter =>
  inside(({ column }, network) => isHostInNetwork(column(path), network))

/** `isInside`: predicate for one network. */
const inside = (isInside: (scope: FilterScope, network: Sql) => Sql): CustomFilter =>
  custom({
    value: 'text',
    multiple: true,
    example: '10.0.0.0/8',
    leavesOut: isNoAddress,
    where: (scope, values) => {
      const networks = addressesOf(values)
      if (networks.length < values.length) return sql`false`
      return anyOf(networks.map((value) => sql`(${isInside(scope, sql`network(${value}::inet)::inet`)})`))
    },
  })

/** Whether the range contains the address. */
export const rangeHolds = custom({
  value: 'text',
  multiple: false,
  example: '192.0.2.1',
  leavesOut: isNoAddress,
  where: ({ column }, [value]) => {
    const address = addressOf(value)
    return address === undefined
      ? sql`false`
      : sql`(${column('start_address')} <= ${address}::inet and ${column('end_address')} >= ${address}::inet)`
  },
})

/** Filter by network. Host bits of the value are cleared only for filters with a single value. */
export const networkFilter = (multiple: boolean): CustomFilter =>
  custom({
    value: 'text',
    multiple,
    example: '10.0.0.0/8',
    where: ({ column }, values) =>
      anyOf(
        addressesOf(values).map((value) =>
          multiple ? sql`${column('prefix')} = ${value}::inet` : sql`${column('prefix')} = network(${value}::inet)`,
        ),
      ),
  })

const compared = (predicate: (prefix: Sql, value: string) => Sql): CustomFilter =>
  custom({
    value: 'text',
    multiple: false,
    example: '10.0.0.0/8',
    leavesOut: isNoAddress,
    where: ({ column }, [value]) => {
      const address = addressOf(value)
      return address === undefined ? sql`false` : predicate(column('prefix'), address)
    },
  })

/** Filters of prefixes by their relation to a network or address. */
export const prefixPlaceFilters = {
  within: compared((prefix, value) => sql`${prefix} << network(${value}::inet)`),
  within_include: compared((prefix, value) => sql`${prefix} <<= network(${value}::inet)`),
  contains: compared((prefix, value) =>
    value.includes('/') ? sql`${prefix} >>= network(${value}::inet)` : sql`${prefix} >> ${value}::inet`,
  ),
}

/** In the VRF, or in a VRF that exports a route target which this VRF imports. */
const presentIn = (by: 'id' | 'rd'): CustomFilter =>
  custom({
    value: 'related',
    to: 'ipam.vrf',
    by,
    multiple: false,
    where: ({ column }, [vrf]) => sql`(
      ${column('vrf')} = ${vrf}::bigint
      or exists (
        select 1
        from ${table('ipam.vrf.export_targets')} e
        join ${table('ipam.vrf.import_targets')} i on i.routetarget_id = e.routetarget_id
        where e.vrf_id = ${column('vrf')} and i.vrf_id = ${vrf}::bigint
      )
    )`,
  })

export const presentInVrfFilters = {
  present_in_vrf_id: presentIn('id'),
  present_in_vrf: presentIn('rd'),
}

/** Whether the group has an address within the network of one of the addresses, in the same VRF. */
export const relatedIpFilter = custom({
  value: 'related',
  to: 'ipam.ipaddress',
  by: 'id',
  multiple: true,
  where: ({ id }, values) => sql`exists (
    select 1
    from ${table('ipam.ipaddress')} own
    join ${table('ipam.ipaddress')} other
      on own.address <<= network(other.address)::inet
      and own.vrf_id is not distinct from other.vrf_id
    where own.assigned_object_type = 'ipam.fhrpgroup' and own.assigned_object_id = ${id}
      and other.id = any(${values}::bigint[])
  )`,
})

/** Whether the generic relation `parent` refers to a row of the model that a value names. */
const parentIs = (model: string, by: 'id' | 'name'): CustomFilter =>
  custom({
    value: by === 'id' ? 'integer' : 'text',
    multiple: true,
    where: ({ column }, values) => sql`(
      ${column('parent_object_type')} = ${model} and ${column('parent_object_id')} in (
        select p.id from ${table(model)} p where ${
          by === 'id' ? sql`p.id = any(${values}::bigint[])` : sql`p.name = any(${values}::text[])`
        }
      )
    )`,
  })

export const serviceParentFilters = {
  device: parentIs('dcim.device', 'name'),
  device_id: parentIs('dcim.device', 'id'),
  virtual_machine: parentIs('virtualization.virtualmachine', 'name'),
  virtual_machine_id: parentIs('virtualization.virtualmachine', 'id'),
  fhrpgroup: parentIs('ipam.fhrpgroup', 'name'),
  fhrpgroup_id: parentIs('ipam.fhrpgroup', 'id'),
}
