import { housekeeping, PRIMARY } from '../../schema/common.ts'
import { earlierDuplicates } from '../../schema/earlier-duplicates.ts'
import { foreignKey, genericForeignKey } from '../../schema/field.ts'
import { type CustomFilter, custom, numberFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { holderColumns, interfaceColumn } from '../dcim/interface-columns.ts'
import { l2vpn, POINT_TO_POINT_TYPES } from './l2vpn.ts'

/** Site of the L2VPN's terminated object: that of the VLAN, the device or the virtual machine. */
const siteOf = (type: Sql, id: Sql): Sql => sql`(case ${type}
  when 'ipam.vlan' then (select v.site_id from ${table('ipam.vlan')} v where v.id = ${id})
  when 'dcim.interface' then (
    select d.site_id from ${table('dcim.interface')} i
    join ${table('dcim.device')} d on d.id = i.device_id
    where i.id = ${id}
  )
  when 'virtualization.vminterface' then (
    select m.site_id
    from ${table('virtualization.vminterface')} i
    join ${table('virtualization.virtualmachine')} m on m.id = i.virtual_machine_id
    where i.id = ${id}
  )
end)`

const bySite = (value: 'integer' | 'text', sites: (values: readonly unknown[]) => Sql): CustomFilter =>
  custom({
    value,
    multiple: true,
    where: ({ column }, values) =>
      sql`${siteOf(column('assigned_object_type'), column('assigned_object_id'))} in (${sites(values)})`,
  })

/** Regions match exactly, without their descendants. */
const placeFilters = {
  region: bySite(
    'text',
    (values) => sql`
      select s.id from ${table('dcim.site')} s join ${table('dcim.region')} r on r.id = s.region_id
      where r.slug = any(${values}::text[])`,
  ),
  region_id: bySite(
    'integer',
    (values) => sql`select s.id from ${table('dcim.site')} s where s.region_id = any(${values}::bigint[])`,
  ),
  site: bySite('text', (values) => sql`select s.id from ${table('dcim.site')} s where s.slug = any(${values}::text[])`),
  site_id: bySite('integer', (values) => sql`select unnest(${values}::bigint[])`),
}

/** An interface or VLAN at which an L2VPN ends. */
export const l2vpnTermination = model({
  name: 'vpn.l2vpntermination',
  path: 'vpn/l2vpn-terminations',
  labels: ['L2VPN termination', 'L2VPN terminations'],

  fields: {
    l2vpn: foreignKey('vpn.l2vpn', { onDelete: 'cascade', related: 'terminations' }),
    assigned_object: genericForeignKey(['dcim.interface', 'ipam.vlan', 'virtualization.vminterface'], {
      nullable: false,
      related: 'l2vpn_terminations',
    }),
    ...housekeeping,
  },

  display: '{assigned_object.display} <> {l2vpn.display}',
  graphql: { unions: { assigned_object: 'L2VPNAssignmentType' } },
  brief: ['id', 'url', 'display', 'l2vpn'],
  lock: 'vpn.l2vpntermination',
  order: ['l2vpn'],
  search: ['l2vpn.name'],
  unique: [{ fields: ['assigned_object_type', 'assigned_object_id'] }],

  filters: {
    ...placeFilters,
    device: related('assigned_object:dcim.interface.device', 'dcim.device', 'name'),
    device_id: related('assigned_object:dcim.interface.device', 'dcim.device'),
    virtual_machine: related(
      'assigned_object:virtualization.vminterface.virtual_machine',
      'virtualization.virtualmachine',
      'name',
    ),
    virtual_machine_id: related(
      'assigned_object:virtualization.vminterface.virtual_machine',
      'virtualization.virtualmachine',
    ),
    interface: related('assigned_object:dcim.interface', 'dcim.interface', 'name'),
    interface_id: related('assigned_object:dcim.interface', 'dcim.interface'),
    vminterface: related('assigned_object:virtualization.vminterface', 'virtualization.vminterface', 'name'),
    vminterface_id: related('assigned_object:virtualization.vminterface', 'virtualization.vminterface'),
    vlan: related('assigned_object:ipam.vlan', 'ipam.vlan', 'name'),
    vlan_vid: numberFilter('assigned_object:ipam.vlan.vid', 'integer', { single: true }),
    vlan_id: related('assigned_object:ipam.vlan', 'ipam.vlan'),
    assigned_object_type_id: objectTypeFilter('assigned_object_type', { byId: true }),
  },
  features: PRIMARY,
})

type TerminationFields = typeof l2vpnTermination.fields

const ofSameNetworkBefore = earlierDuplicates<TerminationFields>((row) => String(row.l2vpn))

/** Refuses a third end of a point-to-point network. */
const refuseThirdEnd: Rule<TerminationFields> = async (change) => {
  const { next, batch, read } = change
  const network = await read.get(l2vpn, next.l2vpn)
  if (!POINT_TO_POINT_TYPES.includes(network.type)) return
  const changing = new Set(batch.map(({ id }) => id))
  const stored = await read.all(l2vpnTermination, { l2vpn: next.l2vpn })
  const otherEnds = [...stored.filter(({ id }) => !changing.has(id)), ...ofSameNetworkBefore(change)]
  return otherEnds.length >= 2
    ? { __all__: `${network.display} connects two points and has both its ends.` }
    : undefined
}

export const l2vpnTerminationModel = registered(l2vpnTermination, {
  behaviour: rulesFor(l2vpnTermination, refuseThirdEnd),
  context: words('l2vpn assigned_object'),
  columns: words('l2vpn assigned_object_type assigned_object'),
  moreColumns: words('tags id'),
  labels: {
    l2vpn: 'L2VPN',
    assigned_object_type: 'Object Type',
    assigned_object: 'Object',
  },
  formLabels: { assigned_object: 'Assign to' },
  panels: words('l2vpn assigned_object'),
  cloned: ['l2vpn'],
  form: words('l2vpn assigned_object tags'),
  bulkEdit: [],
  filters: {
    '': words('tag l2vpn_id'),
    'Assigned Object': words(`
      assigned_object_type_id region_id site_id device_id virtual_machine_id vlan_id
    `),
  },
  importColumns: {
    ...holderColumns('interface'),
    interface: interfaceColumn('assigned_object'),
    vlan: { to: 'ipam.vlan', assigns: 'assigned_object' },
  },
})
