import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { refreshComponentPlaces } from './component-place.effects.ts'
import { device } from './device.ts'

type DeviceEffect = EffectFunction<typeof device.fields>

const isMoved = <Place extends { site: number; location: number | null; rack: number | null }>(
  previous: Place,
  next: Place,
): boolean =>
  previous.site !== next.site || previous.location !== next.location || previous.rack !== next.rack

/** Updates the copies of a device's place in its components. NetBox 4.6.8 dcim/signals.py. */
export const passOnDevicePlace: DeviceEffect = async ({ action, rows, database }) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) =>
    previous && next && isMoved(previous, next) ? [next.id] : [],
  )
  if (moved.length > 0) await refreshComponentPlaces(database, sql`d.id = any(${moved}::bigint[])`)
}

/** Moves devices in bays along with their parent device. */
export const moveChildren: DeviceEffect = async ({ action, rows, database, write }) => {
  if (action !== 'update') return
  const ids = rows.flatMap(({ next }) => next?.id ?? [])
  const children = await database.query<{
    id: number
    site: number
    location: number | null
    rack: number | null
  }>(sql`
    select c.id, p.site_id as site, p.location_id as location, p.rack_id as rack
    from ${table('dcim.devicebay')} b
    join ${table('dcim.device')} p on p.id = b.device_id
    join ${table('dcim.device')} c on c.id = b.installed_device_id
    where p.id = any(${ids}::bigint[])
      and (c.site_id, c.location_id, c.rack_id) is distinct from (p.site_id, p.location_id, p.rack_id)
    order by c.id`)
  if (children.length > 0) await write.update(device, children)
}
