import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const userView = modelView('users.user', {
  columns: ['username', 'first_name', 'last_name', 'email', 'is_active'],
  moreColumns: ['id', 'groups', 'last_login'],
  labels: { is_active: 'Is Active' },
  formLabels: { is_superuser: 'Superuser status' },
  panels: [[fieldGroup('User', ['username', 'email', 'date_joined', 'last_login', 'is_active'])]],
  tables: [
    { model: 'users.group', by: { user_id: 'id' }, label: 'Assigned Groups' },
    { model: 'users.objectpermission', by: { user_id: 'id' }, label: 'Assigned Permissions' },
    { model: 'users.owner', by: { user_id: 'id' }, label: 'Owner Membership' },
  ],
  form: [
    fieldGroup('User', ['username', 'password', 'first_name', 'last_name', 'email']),
    fieldGroup('Groups', ['groups']),
    fieldGroup('Status', ['is_active', 'is_superuser']),
  ],
  filters: [fieldGroup('Group', ['group_id']), fieldGroup('Status', ['is_active', 'is_superuser'])],
  bulkEdit: [fieldGroup('', ['first_name', 'last_name', 'is_active', 'is_superuser'])],
  imports: words('username first_name last_name email password is_active is_superuser'),
})
