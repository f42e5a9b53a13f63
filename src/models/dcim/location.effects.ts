import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { refreshComponentPlaces } from './component-place.effects.ts'
import type { location } from './location.ts'
import { refreshScopePlaces, SCOPED } from './scope.effects.ts'

/** Moves the contents of a location along to another site. NetBox 4.6.8 dcim/signals.py. */
export const passOnLocationSite: EffectFunction<typeof location.fields> = async ({
  action,
  rows,
  database,
}) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) =>
    previous && next && previous.site !== next.site ? [next.id] : [],
  )
  if (moved.length === 0) return
  const ids = sql`${moved}::bigint[]`
  await database.execute(sql`
    ${updateTable('dcim.location')} t set site_id = top.site_id
    from ${table('dcim.location')} top
    where top.id = any(${ids}) and top.id = any(t._ancestors)`)
  for (const name of ['dcim.rack', 'dcim.device', 'dcim.powerpanel']) {
    await database.execute(sql`
      ${updateTable(name)} t set site_id = l.site_id
      from ${table('dcim.location')} l
      where t.location_id = l.id and l._ancestors && ${ids} and t.site_id <> l.site_id`)
  }
  await database.execute(sql`
    ${updateTable('dcim.cabletermination')} t set _site_id = l.site_id
    from ${table('dcim.location')} l
    where t._location_id = l.id and l._ancestors && ${ids}`)
  const below = sql`select l.id from ${table('dcim.location')} l where l._ancestors && ${ids}`
  await refreshComponentPlaces(database, sql`d.location_id in (${below})`)
  for (const scoped of SCOPED) {
    await refreshScopePlaces(
      database,
      scoped,
      (type, id) => sql`${type} = 'dcim.location' and ${id} in (${below})`,
    )
  }
}
