import type { ApiRequest } from '../../api/api-request.ts'
import { isHostInNetwork } from '../../models/ipam/address.filters.ts'
import { cachedColumn, cachedResult } from '../../read/query/cached-column.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/**
 * Number of used addresses of each prefix, by its id: single ones, and those of ranges that are marked as utilized. An address
 * counts once, however many objects have it.
 */
export async function addressUsage(
  service: ApiRequest['service'],
  prefixes: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (prefixes.length === 0) return new Map()
  const address = table('ipam.ipaddress')
  const isInside = isHostInNetwork(sql`a._host`, sql`t.prefix`)
  const range = table('ipam.iprange')
  // Ranges of one VRF do not overlap; ranges at an edge of the prefix are partly inside.
  const utilized = sql`
    select greatest(host(r.start_address)::inet, host(t.prefix)::inet) as first,
      least(host(r.end_address)::inet, host(broadcast(t.prefix))::inet) as last
    from ${range} r
    where r.mark_utilized and r.vrf_id is not distinct from t.vrf_id
      and host(r.start_address)::inet <= host(broadcast(t.prefix))::inet
      and host(r.end_address)::inet >= host(t.prefix)::inet
      and family(r.start_address) = family(t.prefix)`
  const hosts = (isInVrf: Sql) => sql`(
    select count(distinct a._host) from ${address} a
    where ${isInVrf} and ${isInside}
      and not exists (select from (${utilized}) u where a._host between u.first and u.last))`
  const counts = await cachedColumn(
    service,
    // Two counts: no index supports a comparison in which nulls are equal.
    sql`select case when t.vrf_id is null
        then ${hosts(sql`a.vrf_id is null`)}
        else ${hosts(sql`a.vrf_id = t.vrf_id`)}
      end + coalesce((select sum(u.last - u.first + 1) from (${utilized}) u), 0)
      from ${table('ipam.prefix')} t
      join unnest(${prefixes}::bigint[]) with ordinality as wanted(id, place) on wanted.id = t.id
      order by wanted.place`,
  )
  return new Map(prefixes.map((id, index) => [id, Number(counts[index] ?? 0)]))
}

/** Shares of containers covered by the prefixes directly within them, by id. */
export async function coveredShares(
  service: ApiRequest['service'],
  containers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (containers.length === 0) return new Map()
  const inner = table('ipam.prefix')
  const share = sql`select sum(2.0 ^ (masklen(t.prefix) - masklen(c.prefix)))::float8 from ${inner} c`
  // A range that the index on VRF and prefix supports.
  const isBelow = sql`c.prefix > t.prefix and c.prefix <= host(broadcast(t.prefix))::cidr and c._depth = t._depth + 1`
  const rows = await cachedResult(
    service,
    sql`select t.id, case when t.vrf_id is null
        then (${share} where c.vrf_id is null and ${isBelow})
        else (${share} where c.vrf_id = t.vrf_id and ${isBelow})
      end
      from ${table('ipam.prefix')} t where t.id = any(${containers}::bigint[])`,
  )
  return new Map(rows.map(([id, share]) => [Number(id), Number(share ?? 0)]))
}
