import { identifier, join, type Sql, sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table, updateTable } from '../../../sql/table.ts'
import { CABLE_TERMINATION_MODELS } from './cabled.ts'

/** Cabled models that belong to a device. */
const COMPONENTS = CABLE_TERMINATION_MODELS.filter(
  (name) => name !== 'circuits.circuittermination' && name !== 'dcim.powerfeed',
)

/**
 * Updates the places of cable ends from their objects: the place of a component's device, of a feed's rack, or of a
 * circuit termination. `condition` is over alias `t`. NetBox 4.6.8 CableTermination.cache_related_objects.
 */
export async function refreshCableEndPlaces(database: Queryable, condition: Sql = sql`true`): Promise<void> {
  const inDevices = COMPONENTS.map(
    (name) => sql`
      ${updateTable('dcim.cabletermination')} t
      set _device_id = d.id, _rack_id = d.rack_id, _location_id = d.location_id, _site_id = d.site_id
      from ${table(name)} c join ${table('dcim.device')} d on d.id = c.device_id
      where t.termination_type = ${name} and t.termination_id = c.id and ${condition}
        and (t._device_id, t._rack_id, t._location_id, t._site_id)
          is distinct from (d.id, d.rack_id, d.location_id, d.site_id)`,
  )
  const feeds = sql`
    ${updateTable('dcim.cabletermination')} t
    set _rack_id = r.id, _location_id = r.location_id, _site_id = r.site_id
    from ${table('dcim.powerfeed')} f join ${table('dcim.rack')} r on r.id = f.rack_id
    where t.termination_type = 'dcim.powerfeed' and t.termination_id = f.id and ${condition}
      and (t._rack_id, t._location_id, t._site_id) is distinct from (r.id, r.location_id, r.site_id)`
  const circuits = sql`
    ${updateTable('dcim.cabletermination')} t set _site_id = c._site_id, _location_id = c._location_id
    from ${table('circuits.circuittermination')} c
    where t.termination_type = 'circuits.circuittermination' and t.termination_id = c.id
      and ${condition}
      and (t._site_id, t._location_id) is distinct from (c._site_id, c._location_id)`
  const named = [...inDevices, feeds, circuits].map((update, index) => sql`${identifier(`u${index}`)} as (${update})`)
  await database.execute(sql`with ${join(named)} select 1`)
}

/** Stores the connector and positions of cable ends in the objects that they connect. */
export async function refreshCablePositions(database: Queryable): Promise<void> {
  for (const name of CABLE_TERMINATION_MODELS) {
    await database.execute(sql`
      ${updateTable(name)} x
      set cable_connector = t.connector, cable_positions = t.positions
      from ${table('dcim.cabletermination')} t
      where t.termination_type = ${name} and t.termination_id = x.id
        and (x.cable_connector, x.cable_positions) is distinct from (t.connector, t.positions)`)
  }
}
