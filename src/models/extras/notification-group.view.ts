import { fieldGroup, modelView } from '../../schema/view.ts'

export const notificationGroupView = modelView('extras.notificationgroup', {
  columns: ['name', 'description', 'groups', 'users'],
  moreColumns: ['id'],
  panels: [[fieldGroup('Notification Group', ['name', 'description'])]],
  form: [fieldGroup('', ['name', 'description', 'groups', 'users'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'description', 'users.username', 'groups.name'],
})
