import type { ApiRequest } from '../../api/api-request.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Weight and power of a rack: the same for everyone who may view the rack. */
export interface RackLoad {
  readonly rack: number
  /** Grams: the rack itself, its devices and their modules. */
  readonly weight: number
  /** Grams; null without a limit. */
  readonly maxWeight: number | null
  /** Watts that the feeds of the rack supply; 0 without feeds. */
  readonly power: number
  /**
   * Watts that are allocated at these feeds. A power port without its own draw counts the loads that its outlets
   * supply, over any number of levels.
   */
  readonly allocated: number
}

/** Loads of racks that the user may view, by id. */
export async function rackLoads(
  service: ApiRequest['service'],
  racks: readonly number[],
): Promise<ReadonlyMap<number, RackLoad>> {
  const device = table('dcim.device')
  const deviceType = table('dcim.devicetype')
  const statement = sql`
    select t.id as rack, t._abs_max_weight as "maxWeight",
      coalesce(t._abs_weight, 0)
        + coalesce((select sum(y._abs_weight) from ${device} d join ${deviceType} y on y.id = d.device_type_id
            where d.rack_id = t.id), 0)
        + coalesce((select sum(y._abs_weight) from ${table('dcim.module')} m
            join ${device} d on d.id = m.device_id
            join ${table('dcim.moduletype')} y on y.id = m.module_type_id
            where d.rack_id = t.id), 0) as weight,
      coalesce((select sum(f.available_power) from ${table('dcim.powerfeed')} f
        where f.rack_id = t.id), 0) as power,
      ${allocatedDraw(sql`f.rack_id = t.id`)} as allocated
    from ${table('dcim.rack')} t where t.id = any(${racks}::bigint[])`
  const rows = await service.database.query<Record<keyof RackLoad, string | number | null>>(statement)
  return new Map(
    rows.map((row) => [
      Number(row.rack),
      {
        rack: Number(row.rack),
        weight: Number(row.weight),
        maxWeight: row.maxWeight === null ? null : Number(row.maxWeight),
        power: Number(row.power),
        allocated: Number(row.allocated),
      },
    ]),
  )
}

/** Watts that are allocated at the feeds `f` that meet the condition. */
function allocatedDraw(isFed: Sql): Sql {
  const port = table('dcim.powerport')
  return sql`coalesce((
    with recursive supplied as (
      select p.id, p.allocated_draw as allocated, p.maximum_draw as most, array[p.id] as path
      from ${table('dcim.powerfeed')} f join ${port} p on p.cable_id = f.cable_id
      where ${isFed}
      union all
      select q.id, q.allocated_draw, q.maximum_draw, s.path || q.id
      from supplied s join ${table('dcim.poweroutlet')} o on o.power_port_id = s.id
      join ${port} q on q.cable_id = o.cable_id
      where s.allocated is null and s.most is null and q.id <> all(s.path)
    )
    select sum(allocated) from (select distinct id, allocated from supplied) ports), 0)`
}

/** The feeds that the user may view, each with the watts that it supplies and those that are allocated. */
export async function feedLoads({
  service,
  actor,
}: Pick<ApiRequest, 'service' | 'actor'>): Promise<
  readonly (Pick<RackLoad, 'power' | 'allocated'> & { readonly id: number; readonly name: string })[]
> {
  const feed = table('dcim.powerfeed')
  const loads = sql`select t.id, ${allocatedDraw(sql`f.id = t.id`)} as allocated from ${feed} t`
  const statement = sql`
    select t.id, t.name, t.available_power, loads.allocated from ${feed} t join loads on loads.id = t.id`
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const rows = await cachedResult(service, applyRowSecurity(security, statement, { loads }))
  return rows.map(([id, name, power, allocated]) => ({
    id: Number(id),
    name: String(name),
    power: Number(power ?? 0),
    allocated: Number(allocated ?? 0),
  }))
}

/** Watts that a feed supplies, and the allocated part. The user may view the feed. */
export async function feedLoad(
  service: ApiRequest['service'],
  feed: number,
): Promise<Pick<RackLoad, 'power' | 'allocated'>> {
  const statement = sql`
    select t.available_power as power, ${allocatedDraw(sql`f.id = t.id`)} as allocated
    from ${table('dcim.powerfeed')} t where t.id = ${feed}::bigint`
  const [row] = await service.database.query<{ power: unknown; allocated: unknown }>(statement)
  return { power: Number(row?.power ?? 0), allocated: Number(row?.allocated ?? 0) }
}
