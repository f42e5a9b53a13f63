import { fieldGroup, modelView } from '../../schema/view.ts'

export const ownerView = modelView('users.owner', {
  context: ['group'],
  columns: ['name', 'group', 'description', 'user_groups', 'users'],
  moreColumns: ['id'],
  labels: { user_groups: 'Groups' },
  panels: [[fieldGroup('Owner', ['name', 'group', 'description'])]],
  tables: [
    { model: 'users.group', by: { owner_id: 'id' } },
    { model: 'users.user', by: { owner_id: 'id' } },
  ],
  cloned: ['user_groups', 'users'],
  form: [
    fieldGroup('Owner', ['name', 'group', 'description']),
    fieldGroup('Groups', ['user_groups']),
    fieldGroup('Users', ['users']),
  ],
  filters: [
    fieldGroup('Group', ['group_id']),
    fieldGroup('Membership', ['user_group_id', 'user_id']),
  ],
  bulkEdit: [fieldGroup('', ['group', 'description'])],
  imports: ['group.name', 'name', 'description', 'user_groups.name', 'users.username'],
})
