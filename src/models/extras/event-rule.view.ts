import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const eventRuleView = modelView('extras.eventrule', {
  columns: ['name', 'enabled', 'action_type', 'action_object', 'object_types', 'event_types'],
  moreColumns: ['id', 'description', 'tags', 'created', 'last_updated', 'owner'],
  labels: {
    action_type: 'Type',
    action_object: 'Object',
    object_types: 'Object Types',
    event_types: 'Event Types',
  },
  panels: [
    [fieldGroup('Event Rule', ['name', 'enabled', 'description'])],
    [fieldGroup('Action', ['action_type', 'action_object'])],
  ],
  tables: [{ model: 'extras.webhookdelivery', by: { event_rule_id: 'id' } }],
  form: [
    fieldGroup('Event Rule', ['name', 'description', 'object_types', 'enabled', 'tags']),
    fieldGroup('Triggers', ['event_types', 'conditions']),
    fieldGroup('Action', ['action_type', 'action_object', 'action_data']),
  ],
  filters: [fieldGroup('Attributes', ['object_type_id', 'event_type', 'action_type', 'enabled'])],
  bulkEdit: [fieldGroup('', ['owner', 'enabled', 'event_types', 'description'])],
  importColumns: {
    action_object: {
      to: {
        typeIn: 'action_type',
        types: {
          webhook: 'extras.webhook',
          script: 'extras.script',
          notification_group: 'extras.notificationgroup',
        },
      },
      assigns: 'action_object',
    },
  },
  imports: words(`
    name description enabled conditions object_types event_types action_type owner.name comments
    tags.slug action_object
  `),
})
