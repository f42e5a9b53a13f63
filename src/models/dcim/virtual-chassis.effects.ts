import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { device } from './device.ts'
import type { virtualChassis } from './virtual-chassis.ts'

type ChassisEffect = EffectFunction<typeof virtualChassis.fields>

export const takeInMaster: ChassisEffect = async ({ action, rows, write }) => {
  if (action !== 'create') return
  const masters = rows.flatMap(({ next }) =>
    next && next.master !== null
      ? [{ id: next.master, virtual_chassis: next.id, vc_position: 1 }]
      : [],
  )
  if (masters.length > 0) await write.update(device, masters)
}

/** Clears the positions and priorities of members when the chassis is deleted. */
export const dismissMembers: ChassisEffect = async ({ rows, database, write }) => {
  const ids = rows.flatMap(({ previous }) => previous?.id ?? [])
  const members = await database.query<{ id: number }>(sql`
    select id from ${table('dcim.device')} where virtual_chassis_id = any(${ids}::bigint[]) order by id`)
  if (members.length === 0) return
  await write.update(
    device,
    members.map(({ id }) => ({ id, vc_position: null, vc_priority: null })),
  )
}
