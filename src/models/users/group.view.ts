import { fieldGroup, modelView } from '../../schema/view.ts'

export const groupView = modelView('users.group', {
  columns: ['display', 'name', 'description'],
  moreColumns: ['id'],
  panels: [[fieldGroup('Group', ['name', 'description'])]],
  tables: [
    { model: 'users.user', by: { group_id: 'id' } },
    { model: 'users.objectpermission', by: { group_id: 'id' }, label: 'Assigned Permissions' },
    { model: 'users.owner', by: { user_group_id: 'id' }, label: 'Owner Membership' },
  ],
  form: [fieldGroup('', ['name', 'description'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'description'],
})
