import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'

/** Models whose rows belong to a device and have copies of the device's place. */
const COMPONENTS = [
  'dcim.consoleport',
  'dcim.consoleserverport',
  'dcim.coolingintake',
  'dcim.coolingoutflow',
  'dcim.devicebay',
  'dcim.frontport',
  'dcim.interface',
  'dcim.inventoryitem',
  'dcim.modulebay',
  'dcim.poweroutlet',
  'dcim.powerport',
  'dcim.rearport',
] as const

const PLACE = ['_site_id', '_location_id', '_rack_id'] as const

/**
 * Updates the places of components and cable terminations from the devices that `condition` (over alias `d`) selects.
 * One statement for all tables.
 */
export async function refreshComponentPlaces(database: Queryable, condition: Sql): Promise<void> {
  const updates = [...COMPONENTS, 'dcim.cabletermination'].map((name) => {
    const holder = name === 'dcim.cabletermination' ? '_device_id' : 'device_id'
    const current = PLACE.map((column) => identifier('x', column))
    return sql`${updateTable(name)} x
      set _site_id = d.site_id, _location_id = d.location_id, _rack_id = d.rack_id
      from ${table('dcim.device')} d
      where x.${identifier(holder)} = d.id and (${condition})
        and (${join(current)}) is distinct from (d.site_id, d.location_id, d.rack_id)`
  })
  const named = updates.map((update, index) => sql`${identifier(`u${index}`)} as (${update})`)
  await database.execute(sql`with ${join(named)} select 1`)
}
