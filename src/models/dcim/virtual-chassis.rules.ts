import { behaviour, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { device } from './device.ts'
import { dismissMembers, takeInMaster } from './virtual-chassis.effects.ts'
import { virtualChassis } from './virtual-chassis.ts'

type ChassisRule = Rule<typeof virtualChassis.fields>

/** A new chassis makes its master a member automatically. */
const masterIsMember: ChassisRule = async ({ next, previous, read }) => {
  if (!previous || next.master === null) return
  const master = await read.get(device, next.master)
  return master.virtual_chassis === next.id
    ? undefined
    : { master: `${master.display} is not a member of this virtual chassis.` }
}

/** Refuses a deletion that leaves a link aggregation group across several devices. */
const refuseSplittingAggregates: ChassisRule = async ({ next, read }) => {
  const [found] = await read.database.query(sql`
    select 1 from ${table('dcim.interface')} i
    join ${table('dcim.device')} d on d.id = i.device_id
    join ${table('dcim.interface')} lag on lag.id = i.lag_id
    where d.virtual_chassis_id = ${next.id} and lag.device_id <> i.device_id limit 1`)
  return found
    ? { __all__: `Unable to delete ${next.name}: members share a link aggregation group.` }
    : undefined
}

export const virtualChassisBehaviour = behaviour(virtualChassis, {
  modelRules: [masterIsMember],
  afterWrite: [takeInMaster],
  deletionRules: [refuseSplittingAggregates],
  beforeDelete: [dismissMembers],
})
