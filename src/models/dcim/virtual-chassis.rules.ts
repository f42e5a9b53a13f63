import { behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { device } from './device.ts'
import { virtualChassis } from './virtual-chassis.ts'

type ChassisRule = Rule<typeof virtualChassis.fields>
type ChassisEffect = EffectFunction<typeof virtualChassis.fields>

/** A new chassis makes its master a member by itself. */
const masterIsMember: ChassisRule = async ({ next, previous, read }) => {
  if (!previous || next.master === null) return
  const master = await read.get(device, next.master)
  return master.virtual_chassis === next.id
    ? undefined
    : { master: `${master.display} is not a member of this virtual chassis.` }
}

const takeInMaster: ChassisEffect = async ({ action, rows, write }) => {
  if (action !== 'create') return
  const masters = rows.flatMap(({ next }) =>
    next && next.master !== null
      ? [{ id: next.master, virtual_chassis: next.id, vc_position: 1 }]
      : [],
  )
  if (masters.length > 0) await write.update(device, masters)
}

/** Without the chassis, its members would be tied together by nothing but a link aggregation group. */
const refuseSplittingAggregates: ChassisRule = async ({ next, read }) => {
  const [found] = await read.database.query(sql`
    select 1 from dcim_interface i
    join dcim_device d on d.id = i.device_id
    join dcim_interface lag on lag.id = i.lag_id
    where d.virtual_chassis_id = ${next.id} and lag.device_id <> i.device_id limit 1`)
  return found
    ? { __all__: `Unable to delete ${next.name}: members share a link aggregation group.` }
    : undefined
}

/** Positions and priorities of members mean nothing once the chassis is gone. */
const dismissMembers: ChassisEffect = async ({ rows, database, write }) => {
  const ids = rows.flatMap(({ previous }) => previous?.id ?? [])
  const members = await database.query<{ id: number }>(sql`
    select id from dcim_device where virtual_chassis_id = any(${ids}::bigint[]) order by id`)
  if (members.length === 0) return
  await write.update(
    device,
    members.map(({ id }) => ({ id, vc_position: null, vc_priority: null })),
  )
}

export const virtualChassisBehaviour = behaviour(virtualChassis, {
  modelRules: [masterIsMember],
  afterWrite: [takeInMaster],
  deletionRules: [refuseSplittingAggregates],
  beforeDelete: [dismissMembers],
})
