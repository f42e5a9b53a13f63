import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const contactAssignmentView = modelView('tenancy.contactassignment', {
  columns: ['object_type', 'object', 'contact', 'role', 'priority'],
  moreColumns: words(`
    contact.title contact.phone contact.email contact.address contact.link contact.description
    contact.groups tags id
  `),
  labels: {
    object_type: 'Object Type',
    'contact.title': 'Contact Title',
    'contact.phone': 'Contact Phone',
    'contact.email': 'Contact Email',
    'contact.address': 'Contact Address',
    'contact.link': 'Contact Link',
    'contact.description': 'Contact Description',
  },
  panels: [
    [fieldGroup('Contact assignment', 'object_type object_id object contact role priority')],
  ],
  cloned: ['object', 'role', 'priority'],
  form: [fieldGroup('', ['object', 'contact', 'role', 'priority', 'tags'])],
  filters: [
    fieldGroup('Assignment', ['object_type_id', 'group_id', 'contact_id', 'role_id', 'priority']),
  ],
  bulkEdit: [fieldGroup('', ['contact', 'role', 'priority'])],
  importRequires: ['object_type', 'object_id'],
  imports: ['object_type', 'object_id', 'contact.name', 'priority', 'role.name', 'tags.slug'],
})
