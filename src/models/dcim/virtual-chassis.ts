import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { counter, foreignKey, reverse, text } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { device } from './device.ts'

/** Devices that act as a single one, such as a switch stack. */
export const virtualChassis = model({
  name: 'dcim.virtualchassis',
  path: 'dcim/virtual-chassis',
  labels: ['virtual chassis', 'virtual chassis'],
  about: 'Devices that are managed as one, such as a stack of switches.',

  fields: {
    name: text({ max: 64, collation: 'natural' }),
    domain: text({ max: 30, default: '' }),
    master: foreignKey('dcim.device', {
      related: 'vc_master_for',
      nullable: true,
      unique: true,
      resetOnPut: true,
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    description,
    owner,
    comments,
    ...housekeeping,
    member_count: counter('dcim.device', 'virtual_chassis'),
    members: reverse('dcim.device', 'virtual_chassis', {
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
  },

  brief: ['id', 'url', 'display', 'name', 'master', 'description', 'member_count'],
  naturalKey: ['name'],
  order: ['name'],
  search: ['domain', 'members.name', 'name', 'description'],

  filters: {
    master: related('master', 'dcim.device', 'name'),
    ...byIdAnd('slug', 'region', relatedTree('master.site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('master.site.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('master.site', 'dcim.site')),
    ...byIdAnd('slug', 'tenant', related('master.tenant', 'tenancy.tenant')),
  },
  features: PRIMARY,
})

type ChassisEffect = EffectFunction<typeof virtualChassis.fields>

const takeInMaster: ChassisEffect = async ({ action, rows, write }) => {
  if (action !== 'create') return
  const masters = rows.flatMap(({ next }) =>
    next && next.master !== null ? [{ id: next.master, virtual_chassis: next.id, vc_position: 1 }] : [],
  )
  if (masters.length > 0) await write.update(device, masters)
}

/** Clears the positions and priorities of members when the chassis is deleted. */
const dismissMembers: ChassisEffect = async ({ rows, database, write }) => {
  const ids = rows.flatMap(({ previous }) => previous?.id ?? [])
  const members = await database.query<{ id: number }>(sql`
    select id from ${table('dcim.device')} where virtual_chassis_id = any(${ids}::bigint[]) order by id`)
  if (members.length === 0) return
  await write.update(
    device,
    members.map(({ id }) => ({ id, vc_position: null, vc_priority: null })),
  )
}

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
  const [aggregate] = await read.database.query(sql`
    select 1 from ${table('dcim.interface')} i
    join ${table('dcim.device')} d on d.id = i.device_id
    join ${table('dcim.interface')} lag on lag.id = i.lag_id
    where d.virtual_chassis_id = ${next.id} and lag.device_id <> i.device_id limit 1`)
  return aggregate ? { __all__: `Unable to delete ${next.name}: members share a link aggregation group.` } : undefined
}

export const virtualChassisModel = registered(virtualChassis, {
  behaviour: behaviour(virtualChassis, {
    modelRules: [masterIsMember],
    afterWrite: [takeInMaster],
    deletionRules: [refuseSplittingAggregates],
    beforeDelete: [dismissMembers],
  }),
  context: ['master'],
  columns: words('name domain master member_count'),
  labels: { member_count: 'Members' },
  panels: words('domain master description'),
  form: { 'Virtual Chassis': words('name domain master description tags') },
  narrowedBy: { master: { virtual_chassis_id: 'id' } },
  filters: { Location: words('region_id site_group_id site_id'), Tenant: ['tenant_id'] },
  search: { weights: { domain: 300 }, shown: words('master domain description') },
})
