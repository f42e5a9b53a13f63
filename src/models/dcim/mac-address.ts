import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { genericForeignKey, hardwareAddress } from '../../schema/field.ts'
import { holds, present, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { textContains } from '../../schema/search-term.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { interfaceOwnerFilters } from './interfaces-of-devices.ts'

/** A hardware address, optionally assigned to an interface. */
export const macAddress = model({
  name: 'dcim.macaddress',
  path: 'dcim/mac-addresses',
  labels: ['MAC address', 'MAC addresses'],

  fields: {
    mac_address: hardwareAddress({ bytes: 6, label: 'MAC address' }),
    assigned_object: genericForeignKey(['dcim.interface', 'virtualization.vminterface'], {
      nullable: true,
      related: 'mac_addresses',
    }),
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
    vminterface: related(
      'assigned_object:virtualization.vminterface',
      'virtualization.vminterface',
      'name',
    ),
    vminterface_id: related(
      'assigned_object:virtualization.vminterface',
      'virtualization.vminterface',
    ),
    assigned: present('assigned_object_id'),
    primary: holds(
      ({ id }) => sql`(
      exists (select 1 from ${table('dcim.interface')} i where i.primary_mac_address_id = ${id})
      or exists (select 1 from ${table('virtualization.vminterface')} v where v.primary_mac_address_id = ${id})
    )`,
    ),
  },
  features: PRIMARY,
})
