import { custom } from '../../schema/filter.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Values of a parameter: ids, or texts of another column. */
type Values = readonly (string | number | boolean | null)[]

/**
 * Interfaces that count as a device's in addition to its own: none; those of the members of the virtual chassis whose
 * master it is; or those of its chassis in any case. Management interfaces of other members never count.
 */
type Reach = 'master' | 'member'

/** Ids of devices by `id` or `name`. */
const devicesBy = (by: 'id' | 'name', values: Values): Sql =>
  by === 'id'
    ? sql`select d.id from ${table('dcim.device')} d where d.id = any(${values}::bigint[])`
    : sql`select d.id from ${table('dcim.device')} d where d.name = any(${values}::text[])`

/** Ids of the interfaces of the devices that the values name. */
function interfacesOfDevices(by: 'id' | 'name', values: Values, reach: Reach): Sql {
  const devices = devicesBy(by, values)
  const chassis =
    reach === 'master'
      ? sql`select v.id from ${table('dcim.virtualchassis')} v where v.master_id in (${devices})`
      : sql`select m.virtual_chassis_id from ${table('dcim.device')} m where m.id in (${devices})`
  // Two sets, each found by an index; alternatives in one condition would scan all interfaces.
  return sql`
    select i.id from ${table('dcim.interface')} i where i.device_id in (${devices})
    union all
    select i.id
    from ${table('dcim.interface')} i
    join ${table('dcim.device')} o on o.id = i.device_id
    where not i.mgmt_only and o.virtual_chassis_id in (${chassis})`
}

/** Ids of the interfaces of the virtual machines that the values name. */
const interfacesOfMachines = (by: 'id' | 'name', values: Values): Sql => sql`
  select i.id
  from ${table('virtualization.vminterface')} i
  join ${table('virtualization.virtualmachine')} m on m.id = i.virtual_machine_id
  where ${by === 'id' ? sql`m.id = any(${values}::bigint[])` : sql`m.name = any(${values}::text[])`}`

/**
 * Filters of objects that are assigned to interfaces through the generic relation `relation`, by device and virtual
 * machine. An unknown name or id matches nothing.
 */
export function interfaceOwnerFilters(relation: string) {
  const assigned = (model: 'dcim.interface' | 'virtualization.vminterface', by: 'id' | 'name') => () =>
    custom({
      value: by === 'id' ? 'integer' : 'text',
      multiple: true,
      where: ({ column }, values) => sql`(
          ${column(`${relation}_type`)} = ${model} and ${column(`${relation}_id`)} in (
            ${model === 'dcim.interface' ? interfacesOfDevices(by, values, 'master') : interfacesOfMachines(by, values)}
          )
        )`,
    })
  return {
    device: assigned('dcim.interface', 'name')(),
    device_id: assigned('dcim.interface', 'id')(),
    virtual_machine: assigned('virtualization.vminterface', 'name')(),
    virtual_machine_id: assigned('virtualization.vminterface', 'id')(),
  }
}

/** Interfaces of a device and of its virtual chassis. */
const withinChassis = (by: 'id' | 'name', reach: Reach) =>
  custom({
    value: by === 'id' ? 'integer' : 'text',
    multiple: true,
    where: ({ id }, values) => sql`${id} in (${interfacesOfDevices(by, values, reach)})`,
  })

export const chassisFilters = {
  virtual_chassis_member_or_master: withinChassis('name', 'master'),
  virtual_chassis_member_or_master_id: withinChassis('id', 'master'),
  virtual_chassis_member: withinChassis('name', 'member'),
  virtual_chassis_member_id: withinChassis('id', 'member'),
}

/**
 * Filters of interfaces by VLAN (untagged, tagged or service VLAN): `vlan` is the VLAN number, `vlan_id` the object's
 * id. `interfaces` is the model of the interfaces, `column` refers to them in the join table of tagged VLANs.
 */
export function interfaceVlanFilters(interfaces: string, column: string) {
  const carries = (vlans: (value: string) => Sql) =>
    custom({
      value: 'text',
      multiple: false,
      where: (scope, [value]) => {
        const text = String(value).trim()
        if (!/^\d{1,18}$/.test(text)) return sql`false`
        // Three sets, each found by an index; alternatives in one condition would scan all interfaces.
        return sql`${scope.id} in (
          select i.id from ${table(interfaces)} i where i.untagged_vlan_id in (${vlans(text)})
          union all
          select i.id from ${table(interfaces)} i where i.qinq_svlan_id in (${vlans(text)})
          union all
          select j.${identifier(column)} from ${table(`${interfaces}.tagged_vlans`)} j
          where j.vlan_id in (${vlans(text)})
        )`
      },
    })
  return {
    vlan_id: carries((value) => sql`select ${value}::bigint`),
    vlan: carries((value) => sql`select v.id from ${table('ipam.vlan')} v where v.vid = ${value}::bigint`),
  }
}
