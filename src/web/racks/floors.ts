import type { ApiRequest } from '../../api/api-request.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { usedUnits } from './used-units.ts'

/** Racks and devices directly in a location that the user may view. */
export interface Floor {
  /** Null: in the site, in no location. */
  readonly location: number | null
  readonly racks: number
  readonly devices: number
  /** Units of the racks. */
  readonly units: number
  /** Units that devices occupy. */
  readonly occupied: number
}

/** Racks and devices in each location of a site, and how full the racks are. */
export async function floorsOf(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  site: number,
): Promise<readonly Floor[]> {
  const rack = table('dcim.rack')
  const device = table('dcim.device')
  const statement = sql`
    with used as (${usedUnits(sql`d.site_id = ${site}::bigint`)}),
    parts as (
      select t.location_id as location, 1 as racks, 0 as devices, t.u_height as units, coalesce(used.units, 0) as occupied
      from ${rack} t left join used on used.rack_id = t.id where t.site_id = ${site}::bigint
      union all
      select d.location_id, 0, 1, 0, 0 from ${device} d where d.site_id = ${site}::bigint
    )
    select location, sum(racks) as racks, sum(devices) as devices, sum(units) as units, sum(occupied) as occupied
    from parts group by location`
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const rows = await cachedResult(
    service,
    // Nested: row-level security begins a statement with a `with` of its own.
    applyRowSecurity(security, sql`select location, racks, devices, units, occupied from (${statement}) floors`),
  )
  return rows.map(([location, racks, devices, units, occupied]) => ({
    location: location === null ? null : Number(location),
    racks: Number(racks),
    devices: Number(devices),
    units: Number(units),
    occupied: Number(occupied),
  }))
}

/** The sum of floors. */
export const sumOfFloors = (location: number | null, floors: readonly Floor[]): Floor => ({
  location,
  racks: floors.reduce((sum, each) => sum + each.racks, 0),
  devices: floors.reduce((sum, each) => sum + each.devices, 0),
  units: floors.reduce((sum, each) => sum + each.units, 0),
  occupied: floors.reduce((sum, each) => sum + each.occupied, 0),
})
