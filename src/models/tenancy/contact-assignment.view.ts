import { fieldGroup, modelView } from '../../schema/view.ts'

export const contactAssignmentView = modelView('tenancy.contactassignment', {
  columns: ['object_type', 'object', 'contact', 'role', 'priority'],
  panels: [
    [
      fieldGroup('Contact assignment', [
        'object_type',
        'object_id',
        'object',
        'contact',
        'role',
        'priority',
      ]),
    ],
  ],
  form: [fieldGroup('', ['object', 'contact', 'role', 'priority', 'tags'])],
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Assignment', ['object_type_id', 'group_id', 'contact_id', 'role_id', 'priority']),
  ],
  bulkEdit: [fieldGroup('', ['contact', 'role', 'priority'])],
  importRequires: ['object_type', 'object_id'],
  imports: ['object_type', 'object_id', 'contact.name', 'priority', 'role.name', 'tags.slug'],
})
