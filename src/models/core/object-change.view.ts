import { fieldGroup, modelView } from '../../schema/view.ts'

export const objectChangeView = modelView('core.objectchange', {
  columns: ['time', 'user_name', 'action', 'changed_object_type', 'object_repr', 'message'],
  moreColumns: ['user', 'changed_object', 'request_id', 'id'],
  labels: {
    user_name: 'Username',
    user: 'Full Name',
    changed_object_type: 'Type',
    object_repr: 'Object',
    changed_object: 'Changed object',
  },
  panels: [
    [
      fieldGroup(
        'Change',
        'time user_name action changed_object_type object_repr message request_id',
      ),
    ],
  ],
  filters: [
    fieldGroup('Time', ['time_before', 'time_after']),
    fieldGroup('Attributes', ['action', 'user_id', 'changed_object_type_id']),
  ],
})
