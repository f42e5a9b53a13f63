import { type CustomFilter, custom, present } from '../../schema/filter.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/**
 * True: front or rear ports exist; false: not both. The two are not opposites, as in NetBox
 * (NetBox 4.6.8 dcim/filtersets.py, _pass_through_ports).
 */
function passThroughFilter(front: string, rear: string, key: string): CustomFilter {
  const has = (ports: string, id: Sql): Sql =>
    sql`exists (select 1 from ${table(ports)} p where p.${identifier(key)} = ${id})`
  return custom({
    value: 'boolean',
    multiple: false,
    where: ({ id }, [expected]) =>
      expected ? sql`(${has(front, id)} or ${has(rear, id)})` : sql`not (${has(front, id)} and ${has(rear, id)})`,
  })
}

/** Filters of devices by whether they have components of a kind. */
export const devicePresenceFilters = {
  console_ports: present('consoleports'),
  console_server_ports: present('consoleserverports'),
  power_ports: present('powerports'),
  power_outlets: present('poweroutlets'),
  interfaces: present('interfaces'),
  pass_through_ports: passThroughFilter('dcim.frontport', 'dcim.rearport', 'device_id'),
  module_bays: present('modulebays'),
  device_bays: present('devicebays'),
}

/** Filters of device types or module types by whether their templates include some of a kind. */
export const templatePresenceFilters = (key: 'device_type_id' | 'module_type_id') => ({
  console_ports: present('consoleporttemplates'),
  console_server_ports: present('consoleserverporttemplates'),
  power_ports: present('powerporttemplates'),
  power_outlets: present('poweroutlettemplates'),
  interfaces: present('interfacetemplates'),
  pass_through_ports: passThroughFilter('dcim.frontporttemplate', 'dcim.rearporttemplate', key),
  module_bays: present('modulebaytemplates'),
})
