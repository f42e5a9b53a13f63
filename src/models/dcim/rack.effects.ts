import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { refreshComponentPlaces } from './component-place.effects.ts'
import type { rack } from './rack.ts'

/** Moves devices along with their rack. NetBox 4.6.8 dcim/signals.py, handle_rack_site_change. */
export const passOnRackPlace: EffectFunction<typeof rack.fields> = async ({
  action,
  rows,
  database,
}) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) =>
    previous && next && (previous.site !== next.site || previous.location !== next.location)
      ? [next.id]
      : [],
  )
  if (moved.length === 0) return
  const ids = sql`${moved}::bigint[]`
  await database.execute(sql`
    ${updateTable('dcim.device')} t set site_id = r.site_id, location_id = r.location_id
    from ${table('dcim.rack')} r where t.rack_id = r.id and r.id = any(${ids})`)
  await database.execute(sql`
    ${updateTable('dcim.cabletermination')} t set _site_id = r.site_id, _location_id = r.location_id
    from ${table('dcim.rack')} r where t._rack_id = r.id and r.id = any(${ids})`)
  await refreshComponentPlaces(database, sql`d.rack_id = any(${ids})`)
}
