import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { LOGGED, timestamps } from '../../schema/common.ts'
import { choice, customFields, foreignKey, genericForeignKey, tags } from '../../schema/field.ts'
import { objectTypeFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { memberFilters } from './circuit-group-assignment.filters.ts'

export const circuitPriority = choices([
  ['primary', 'Primary'],
  ['secondary', 'Secondary'],
  ['tertiary', 'Tertiary'],
  ['inactive', 'Inactive'],
])

/** Membership of a circuit or virtual circuit in a group, with its priority there. */
export const circuitGroupAssignment = model({
  name: 'circuits.circuitgroupassignment',
  path: 'circuits/circuit-group-assignments',
  labels: ['Circuit group assignment', 'Circuit group assignments'],

  fields: {
    group: foreignKey('circuits.circuitgroup', { onDelete: 'cascade', related: 'assignments' }),
    member: genericForeignKey(['circuits.circuit', 'circuits.virtualcircuit'], {
      nullable: false,
      related: 'group_assignments',
      idLabel: 'Member ID',
    }),
    priority: choice(circuitPriority, { nullable: true, blank: true, filter: 'single' }),
    tags: tags(),
    custom_fields: customFields({ hidden: true }),
    ...timestamps,
  },

  display: (column) =>
    sql`${column('group.display')} || coalesce(' (' || ${labelOf(column('priority'), circuitPriority)} || ')', '')`,
  graphql: { enums: { priority: ['CircuitPriorityEnum', 'PRIORITY'] } },
  brief: ['id', 'url', 'display', 'group', 'member_type', 'member_id', 'member', 'priority'],
  order: ['group', 'member_type', 'member_id', 'priority', 'id'],
  search: ['group.name', 'member:circuits.circuit.cid', 'member:circuits.virtualcircuit.cid'],
  unique: [{ fields: ['member_type', 'member_id', 'group'] }],

  filters: {
    ...memberFilters,
    member_type_id: objectTypeFilter('member_type', { byId: true }),
  },
  features: [...LOGGED, 'exportTemplates'],
})
