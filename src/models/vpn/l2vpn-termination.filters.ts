import { type CustomFilter, custom } from '../../schema/filter.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

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

const bySite = (
  value: 'integer' | 'text',
  sites: (values: readonly unknown[]) => Sql,
): CustomFilter =>
  custom({
    value,
    multiple: true,
    where: ({ column }, values) =>
      sql`${siteOf(column('assigned_object_type'), column('assigned_object_id'))} in (${sites(values)})`,
  })

/** Regions match exactly, without their descendants. */
export const placeFilters = {
  region: bySite(
    'text',
    (values) => sql`
      select s.id from ${table('dcim.site')} s join ${table('dcim.region')} r on r.id = s.region_id
      where r.slug = any(${values}::text[])`,
  ),
  region_id: bySite(
    'integer',
    (values) =>
      sql`select s.id from ${table('dcim.site')} s where s.region_id = any(${values}::bigint[])`,
  ),
  site: bySite(
    'text',
    (values) => sql`select s.id from ${table('dcim.site')} s where s.slug = any(${values}::text[])`,
  ),
  site_id: bySite('integer', (values) => sql`select unnest(${values}::bigint[])`),
}
