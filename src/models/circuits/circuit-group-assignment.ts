import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { LOGGED, timestamps } from '../../schema/common.ts'
import { choice, customFields, foreignKey, genericForeignKey, tags } from '../../schema/field.ts'
import { type CustomFilter, custom, objectTypeFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

type Values = readonly (string | number | boolean | null)[]

const named = (by: 'id' | 'cid' | 'slug', values: Values): Sql =>
  by === 'id'
    ? sql`x.id = any(${values}::bigint[])`
    : by === 'cid'
      ? sql`x.cid = any(${values}::text[])`
      : sql`x.slug = any(${values}::text[])`

const member = (
  by: 'id' | 'cid' | 'slug',
  members: readonly (readonly [model: string, ids: (condition: Sql) => Sql])[],
): CustomFilter =>
  custom({
    value: by === 'id' ? 'integer' : 'text',
    multiple: true,
    where: ({ column }, values) =>
      members
        .map(
          ([model, ids]) =>
            sql`(${column('member_type')} = ${model} and ${column('member_id')} in (${ids(named(by, values))}))`,
        )
        .reduce((all, condition) => sql`(${all} or ${condition})`),
  })

const CIRCUITS = [
  'circuits.circuit',
  (condition: Sql) => sql`select x.id from ${table('circuits.circuit')} x where ${condition}`,
] as const
const VIRTUAL_CIRCUITS = [
  'circuits.virtualcircuit',
  (condition: Sql) => sql`select x.id from ${table('circuits.virtualcircuit')} x where ${condition}`,
] as const
/** A provider's circuits, and the virtual circuits in its networks. */
const OF_PROVIDER = [
  [
    'circuits.circuit',
    (condition: Sql) => sql`
      select c.id from ${table('circuits.circuit')} c
      join ${table('circuits.provider')} x on x.id = c.provider_id
      where ${condition}`,
  ],
  [
    'circuits.virtualcircuit',
    (condition: Sql) => sql`
      select v.id
      from ${table('circuits.virtualcircuit')} v
      join ${table('circuits.providernetwork')} n on n.id = v.provider_network_id
      join ${table('circuits.provider')} x on x.id = n.provider_id
      where ${condition}`,
  ],
] as const

const memberFilters = {
  circuit: member('cid', [CIRCUITS]),
  circuit_id: member('id', [CIRCUITS]),
  virtual_circuit: member('cid', [VIRTUAL_CIRCUITS]),
  virtual_circuit_id: member('id', [VIRTUAL_CIRCUITS]),
  provider: member('slug', OF_PROVIDER),
  provider_id: member('id', OF_PROVIDER),
}

const circuitPriority = choices([
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
  earlier: { without: ['custom_fields'] },

  fields: {
    group: foreignKey('circuits.circuitgroup', { onDelete: 'cascade', related: 'assignments' }),
    member: genericForeignKey(['circuits.circuit', 'circuits.virtualcircuit'], {
      nullable: false,
      related: 'group_assignments',
      idLabel: 'Member ID',
    }),
    priority: choice(circuitPriority, { nullable: true, blank: true, filter: 'single' }),
    tags: tags(),
    custom_fields: customFields(),
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

export const circuitGroupAssignmentModel = registered(circuitGroupAssignment, {
  columns: words('group member_type member priority'),
  labels: { member_type: 'Type', member: 'Circuit' },
  formLabels: { member: 'Circuit' },
  panels: words('group member priority'),
  form: { 'Group Assignment': words('group member priority tags') },
  filters: { Assignment: words('provider_id member_id group_id priority') },
  bulkEdit: { without: ['group'] },
  importRequires: words('member_type member_id'),
  imports: words('member_type member_id group.id priority tags.slug'),
})
