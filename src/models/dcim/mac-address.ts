import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { derived, genericForeignKey, hardwareAddress } from '../../schema/field.ts'
import { holds, present, related } from '../../schema/filter.ts'
import { namedBy } from '../../schema/import-column.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { textContains } from '../../schema/search-term.ts'
import { fieldGroup, registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { vmInterface } from '../virtualization/vm-interface.ts'
import { deviceInterface } from './interface.ts'
import { holderColumns, interfaceColumn } from './interface-columns.ts'
import { interfaceOwnerFilters } from './interfaces-of-devices.ts'

/** Whether the address is the primary one of an interface. */
const isPrimary = (id: Sql): Sql => sql`(
  exists (select 1 from ${table('dcim.interface')} i where i.primary_mac_address_id = ${id})
  or exists (select 1 from ${table('virtualization.vminterface')} v where v.primary_mac_address_id = ${id}))`

/** A hardware address, optionally assigned to an interface. */
export const macAddress = model({
  name: 'dcim.macaddress',
  path: 'dcim/mac-addresses',
  labels: ['MAC address', 'MAC addresses'],
  earlier: { without: ['is_primary'] },

  fields: {
    mac_address: hardwareAddress({ bytes: 6, label: 'MAC address' }),
    assigned_object: genericForeignKey(['dcim.interface', 'virtualization.vminterface'], {
      nullable: true,
      related: 'mac_addresses',
    }),
    is_primary: derived('boolean', (column) => isPrimary(column('id')), { isTyped: true }),
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: (column) => sql`upper(${column('mac_address')}::text)`,
  graphql: { unions: { assigned_object: 'MACAddressAssignmentType' } },
  brief: ['id', 'url', 'display', 'mac_address', 'description'],
  naturalKey: ['mac_address'],
  order: ['mac_address', 'id'],
  search: [textContains('mac_address'), 'description'],

  filters: {
    ...interfaceOwnerFilters('assigned_object'),
    interface: related('assigned_object:dcim.interface', 'dcim.interface', 'name'),
    interface_id: related('assigned_object:dcim.interface', 'dcim.interface'),
    vminterface: related('assigned_object:virtualization.vminterface', 'virtualization.vminterface', 'name'),
    vminterface_id: related('assigned_object:virtualization.vminterface', 'virtualization.vminterface'),
    assigned: present('assigned_object_id'),
    primary: holds(({ id }) => isPrimary(id)),
  },
  features: PRIMARY,
})

/** Refuses to unassign an interface's primary address: another one must become primary first. */
const primaryStays: Rule<typeof macAddress.fields> = async ({ next, previous, read }) => {
  const { assigned_object_type: type, assigned_object_id: id } = previous ?? {}
  if (typeof type !== 'string' || typeof id !== 'number') return
  if (next.assigned_object_type === type && next.assigned_object_id === id) return
  const holder =
    type === 'dcim.interface' ? await read.find(deviceInterface, { id }) : await read.find(vmInterface, { id })
  if (holder?.primary_mac_address !== next.id) return
  return { __all__: `This is the primary MAC address of ${holder.display}.` }
}

export const macAddressModel = registered(macAddress, {
  behaviour: rulesFor(macAddress, primaryStays),
  context: ['assigned_object'],
  columns: words('mac_address assigned_object description'),
  labels: { mac_address: 'MAC Address', assigned_object: 'Interface' },
  formLabels: { assigned_object: 'Assign to' },
  panels: words('mac_address description assigned_object'),
  form: [fieldGroup('', words('mac_address description tags')), fieldGroup('', ['assigned_object'])],
  filters: {
    Attributes: ['mac_address'],
    Assignments: words('device_id virtual_machine_id assigned primary'),
  },
  bulkEdit: ['description'],
  importColumns: {
    ...holderColumns('interface'),
    interface: interfaceColumn('assigned_object'),
    is_primary: { value: 'boolean' },
  },
  importFollowUps: (values, id) => {
    const owner = values.is_primary === true ? namedBy(values, 'interface') : undefined
    return owner ? [{ ...owner, body: { primary_mac_address: id } }] : []
  },
  search: {
    weights: { mac_address: 100 },
    leadsTo: 'assigned_object',
    shown: words('assigned_object description'),
  },
})
