import { LOGGED, timestamps } from '../../schema/common.ts'
import { foreignKey, genericForeignKey, integer } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'
import { interfaceOwnerFilters } from '../dcim/interfaces-of-devices.ts'

/** An interface's membership of an FHRP group, with its priority. */
export const fhrpGroupAssignment = model({
  name: 'ipam.fhrpgroupassignment',
  path: 'ipam/fhrp-group-assignments',
  page: false,
  labels: ['FHRP group assignment', 'FHRP group assignments'],

  fields: {
    group: foreignKey('ipam.fhrpgroup', { onDelete: 'cascade' }),
    interface: genericForeignKey(['dcim.interface', 'virtualization.vminterface'], {
      nullable: false,
      related: 'fhrp_group_assignments',
    }),
    priority: integer({ size: 'small', range: [0, 255] }),
    ...timestamps,
  },

  display: '{interface.display}: {group.display} ({priority})',
  graphql: {
    unions: { interface: 'FHRPGroupInterfaceType' },
    back: { group: 'fhrpgroupassignment_set' },
  },
  brief: ['id', 'url', 'display', 'group', 'interface_type', 'interface_id', 'priority'],
  order: ['-priority', 'id'],
  unique: [{ fields: ['interface_type', 'interface_id', 'group'] }],

  filters: { ...interfaceOwnerFilters('interface') },
  features: LOGGED,
})

export const fhrpGroupAssignmentModel = registered(fhrpGroupAssignment, {
  context: words('group interface'),
  columns: words('display group interface_type interface_id priority'),
  moreColumns: ['interface'],
  panels: words('group interface_type interface_id interface priority'),
  cloned: ['interface'],
  form: words('interface group priority'),
  bulkEdit: [],
})
