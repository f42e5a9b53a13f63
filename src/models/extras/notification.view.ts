import { fieldGroup, modelView } from '../../schema/view.ts'

export const notificationView = modelView('extras.notification', {
  columns: ['object', 'object_type', 'event_type', 'created'],
  moreColumns: ['read', 'user', 'id'],
  labels: { object_type: 'Object Type' },
  panels: [[fieldGroup('Notification', 'object_type object_id object user read event_type')]],
})
