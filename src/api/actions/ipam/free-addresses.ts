import { formatIp, type Interface, type Ip, parseIp } from '../../../schema/net/ip.ts'
import { type Sql, sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'

/** A range of addresses to search. */
export interface AddressSpace {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
  /** Predicates over alias `t` of addresses and of ranges: the VRFs that count. */
  readonly vrf: { readonly addresses: Sql; readonly ranges: Sql }
  /** Network whose ranges count; undefined if none do. */
  readonly network: Interface | undefined
}

interface Gap extends Record<string, unknown> {
  /** Last used address before the gap; null at the beginning of the range. */
  readonly before: string | null
  /** First used address after the gap; null at the end. */
  readonly after: string | null
}

/**
 * The first `count` free addresses, ascending: neither used nor within a range marked as populated. One statement,
 * which finds gaps instead of listing used addresses.
 */
export async function freeAddresses(queryable: Queryable, space: AddressSpace, count: number): Promise<Ip[]> {
  if (count === 0 || space.first > space.last) return []
  const gaps = await queryable.query<Gap>(sql`
    with taken as materialized (${taken(space)}),
    steps as (
      select first, max(last) over (
        order by first, last rows between unbounded preceding and 1 preceding
      ) as before
      from taken
    ),
    gaps as (
      select before, first as after from steps
      -- Not before + 1, which does not exist behind the last address of all.
      where case when before is null then true when first > before then first - 1 > before end
      -- Every gap holds an address, but for one that a range at the beginning closes.
      order by first limit ${count + 1}
    )
    select host(before) as before, host(after) as after from gaps
    union all
    select host(max(last)), null from taken`)
  const free: Ip[] = []
  for (const { before, after } of gaps) {
    const start = before === null ? space.first : numberOf(before) + 1n
    const end = after === null ? space.last : numberOf(after) - 1n
    for (let value = start; value <= end; value += 1n) {
      if (free.length === count) return free
      free.push({ family: space.family, value })
    }
  }
  return free
}

/** First and last address of everything in use within the range. */
function taken({ family, first, last, vrf, network }: AddressSpace): Sql {
  const low = sql`${formatIp({ family, value: first })}::inet`
  const high = sql`${formatIp({ family, value: last })}::inet`
  const addresses = sql`
    select t._host as first, t._host as last from ${table('ipam.ipaddress')} t
    where t._host between ${low} and ${high} and ${vrf.addresses}`
  if (!network) return addresses
  const whole = sql`${formatIp(network)}::inet`
  return sql`${addresses}
    union all
    select host(t.start_address)::inet, host(t.end_address)::inet from ${table('ipam.iprange')} t
    where t.mark_populated and ${vrf.ranges}
      and t.start_address <<= set_masklen(${whole}, ${network.length}::int)
      and t.end_address <<= set_masklen(${whole}, ${network.length}::int)`
}

function numberOf(address: string): bigint {
  const ip = parseIp(address)
  if (!ip) throw new Error(`${address} is not an address`)
  return ip.value
}
