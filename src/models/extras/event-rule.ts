import { choices } from '../../schema/choices.ts'
import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import {
  boolean,
  choice,
  customFields,
  genericForeignKey,
  json,
  list,
  objectTypes,
  tags,
  text,
} from '../../schema/field.ts'
import { custom, objectTypeFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { eventType } from './choices/event-type.ts'

export const eventRuleAction = choices([
  ['webhook', 'Webhook'],
  ['script', 'Script'],
  ['notification', 'Notification'],
  ['email', 'E-mail'],
])

/** An action to run when objects of some types change. */
export const eventRule = model({
  name: 'extras.eventrule',
  path: 'extras/event-rules',
  labels: ['event rule', 'event rules'],

  fields: {
    object_types: objectTypes({ filter: false, feature: 'eventRules' }),
    name: text({ max: 150, unique: true }),
    enabled: boolean({ default: true }),
    event_types: list('text', { max: 50, choices: eventType }),
    conditions: json({ nullable: true, example: null }),
    action_type: choice(eventRuleAction, {
      default: 'webhook',
      required: true,
      max: 30,
      example: 'webhook',
    }),
    action_object: genericForeignKey(
      ['extras.webhook', 'extras.script', 'extras.notificationgroup'],
      {
        example: 'extras.webhook',
        nullable: true,
        typeRequired: true,
        related: 'event_rules',
        listsTypes: true,
      },
    ),
    description,
    custom_fields: customFields(),
    owner,
    tags: tags(),
    ...timestamps,
    action_data: json({ nullable: true, hidden: true }),
    comments: text({ default: '', hidden: true }),
  },

  graphql: { enums: { action_type: ['EventRuleActionEnum', ''] } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: {
    object_type_id: objectTypeFilter('object_types', { byId: true }),
    object_type: objectTypeFilter('object_types', { textLookups: true }),
    event_type: custom({
      value: 'text',
      multiple: true,
      where: ({ column }, values) => sql`${column('event_types')} && ${values}::text[]`,
    }),
  },
  features: [...LOGGED, 'exportTemplates'],
})
