import { fieldGroup, modelView } from '../../schema/view.ts'

export const permissionView = modelView('users.objectpermission', {
  columns: ['name', 'enabled', 'object_types', 'description'],
  moreColumns: ['id', 'actions', 'users', 'groups', 'constraints'],
  labels: { object_types: 'Object Types', actions: 'Custom Actions' },
  panels: [[fieldGroup('Permission', ['name', 'description', 'enabled'])]],
  tables: [
    { model: 'users.user', by: { permission_id: 'id' }, label: 'Assigned Users' },
    { model: 'users.group', by: { permission_id: 'id' }, label: 'Assigned Groups' },
  ],
  cloned: ['description', 'enabled', 'object_types', 'actions', 'constraints'],
  form: [
    fieldGroup('', ['name', 'description', 'enabled']),
    fieldGroup('Objects', ['object_types']),
    fieldGroup('Actions', ['actions']),
    fieldGroup('Assignment', ['groups', 'users']),
    fieldGroup('Constraints', ['constraints']),
  ],
  filters: [
    fieldGroup('Permission', ['enabled', 'group_id', 'user_id']),
    fieldGroup('Actions', ['can_view', 'can_add', 'can_change', 'can_delete']),
  ],
  bulkEdit: [fieldGroup('', ['enabled', 'description'])],
})
