import { ownerFilters } from '../users/owner-filters.ts'
import { comments, description, housekeeping, owner } from '../../schema/common.ts'
import { genericForeignKey, hardwareAddress } from '../../schema/field.ts'
import { numberFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { textContains } from '../../schema/search-term.ts'
import { sql } from '../../sql/fragment.ts'

/** A hardware address, maybe assigned to an interface. */
export const macAddress = model({
  name: 'dcim.macaddress',
  path: 'dcim/mac-addresses',
  labels: ['MAC address', 'MAC addresses'],

  fields: {
    mac_address: hardwareAddress({ bytes: 6 }),
    assigned_object: genericForeignKey(['dcim.interface', 'virtualization.vminterface'], { nullable: true, related: 'mac_addresses' }),
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: (column) => sql`upper(${column('mac_address')}::text)`,
  brief: ['id', 'url', 'display', 'mac_address', 'description'],
  order: ['mac_address', 'id'],
  search: [textContains('mac_address'), 'description'],

  filters: {
    ...ownerFilters,
    assigned_object_type: objectTypeFilter('assigned_object_type'),
    assigned_object_id: numberFilter('assigned_object_id'),
    interface: related('interface', 'dcim.interface', 'name'),
    interface_id: related('interface', 'dcim.interface'),
    vminterface: related('vminterface', 'virtualization.vminterface', 'name'),
    vminterface_id: related('vminterface', 'virtualization.vminterface'),
  },
  features: ['bookmarks', 'changeLogging', 'cloning', 'customLinks', 'eventRules', 'exportTemplates', 'journaling', 'notifications'],
})
