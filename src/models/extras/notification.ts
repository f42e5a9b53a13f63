import { choice, dateTime, foreignKey, genericForeignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { eventType } from './choices/event-type.ts'

/** A message to a user about a change of an object. */
export const notification = model({
  name: 'extras.notification',
  path: 'extras/notifications',
  page: false,
  labels: ['notification', 'notifications'],

  fields: {
    object: genericForeignKey(['feature:notifications'], {
      // Not an object with subscribers, which are notified again when it changes.
      example: 'ipam.vlan',
      nullable: false,
      onDelete: 'keep',
      listsTypes: true,
      filter: false,
    }),
    user: foreignKey('users.user', {
      onDelete: 'cascade',
      related: 'notifications',
      filter: false,
    }),
    created: dateTime({ readOnly: true, auto: 'insert', filter: false }),
    read: dateTime({ nullable: true, filter: false }),
    event_type: choice(eventType, { bare: true, filter: false, label: 'Event' }),
    object_repr: text({ max: 200, hidden: true }),
  },

  display: '{object_repr}',
  graphql: {
    lookups: { event_type: 'StrFilterLookup', object_repr: 'StrFilterLookup' },
    optional: ['user'],
    only: ['changelog', 'display', 'class_type', 'user'],
  },
  brief: ['id', 'url', 'display', 'object_type', 'object_id', 'user', 'read', 'event_type'],
  order: ['-created', 'id'],
  unique: [{ fields: ['object_type', 'object_id', 'user'] }],
  visibleWith: { relation: 'object', orDeleted: true },
})
