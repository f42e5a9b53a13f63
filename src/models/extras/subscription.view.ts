import { fieldGroup, modelView } from '../../schema/view.ts'

export const subscriptionView = modelView('extras.subscription', {
  columns: ['object', 'object_type', 'created'],
  moreColumns: ['user', 'id'],
  labels: { object_type: 'Object Type' },
  panels: [[fieldGroup('Subscription', ['object_type', 'object_id', 'object', 'user'])]],
})
