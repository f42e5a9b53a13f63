import { fieldGroup, modelView } from '../../schema/view.ts'

export const notificationView = modelView('extras.notification', {
  columns: ['object', 'object_type', 'event_type', 'created'],
  panels: [
    [
      fieldGroup('Notification', [
        'object_type',
        'object_id',
        'object',
        'user',
        'read',
        'event_type',
      ]),
    ],
  ],
})
