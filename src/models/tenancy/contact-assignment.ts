import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { housekeeping, LOGGED } from '../../schema/common.ts'
import { choice, foreignKey, genericForeignKey } from '../../schema/field.ts'
import { byIdAnd, objectTypeFilter, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'

const contactPriority = choices([
  ['primary', 'Primary'],
  ['secondary', 'Secondary'],
  ['tertiary', 'Tertiary'],
  ['inactive', 'Inactive'],
])

/** A contact's role for an object. */
export const contactAssignment = model({
  name: 'tenancy.contactassignment',
  path: 'tenancy/contact-assignments',
  page: false,
  labels: ['contact assignment', 'contact assignments'],

  fields: {
    object: genericForeignKey(['feature:contacts'], {
      lateTargets: true,
      nullable: false,
      related: 'contacts',
    }),
    contact: foreignKey('tenancy.contact', { related: 'assignments' }),
    role: foreignKey('tenancy.contactrole', { related: 'assignments', lateRequired: true }),
    priority: choice(contactPriority, {
      nullable: true,
      blank: true,
      default: '',
      resetOnPut: true,
      filter: 'single',
    }),
    ...housekeeping,
  },

  display: (column) =>
    sql`${column('contact.display')} || coalesce(' (' || ${labelOf(column('priority'), contactPriority)} || ')', '') || ' -> ' || ${column('object.display')}`,
  graphql: {
    enums: { priority: ['ContactPriorityEnum', 'PRIORITY'] },
    optional: ['contact', 'role'],
  },
  brief: ['id', 'url', 'display', 'contact', 'role', 'priority'],
  order: ['contact', 'priority', 'role', 'id'],
  search: ['contact.name', 'role.name'],
  unique: [{ fields: ['object_type', 'object_id', 'contact', 'role'] }],

  filters: {
    object_type_id: objectTypeFilter('object_type', { byId: true, single: true }),
    ...byIdAnd('slug', 'group', relatedTree('contact.groups', 'tenancy.contactgroup')),
  },
  features: [...LOGGED, 'exportTemplates'],
  changeRelates: 'object',
})

export const contactAssignmentModel = registered(contactAssignment, {
  columns: words('object_type object contact role priority'),
  moreColumns: words(`
    contact.title contact.phone contact.email contact.address contact.link contact.description
    contact.groups tags id
  `),
  labels: titled(`
    object_type contact.title contact.phone contact.email contact.address contact.link
    contact.description
  `),
  panels: words('object_type object_id object contact role priority'),
  cloned: words('object role priority'),
  formLabels: { object: 'Assign to' },
  form: words('object contact role priority tags'),
  filters: { Assignment: words('object_type_id group_id contact_id role_id priority') },
  bulkEdit: { without: ['object'] },
  importRequires: words('object_type object_id'),
  imports: { plus: words('object_type object_id') },
})
