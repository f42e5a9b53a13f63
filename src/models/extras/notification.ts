import { choice, dateTime, foreignKey, genericForeignKey, text, uuid } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Normalizer } from '../../schema/rule.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import { registered, words } from '../../schema/view.ts'
import { eventType } from './event-rule.ts'
import { modelNamed } from './object-exists.rules.ts'

/** A message to a user about a change of an object. */
export const notification = model({
  name: 'extras.notification',
  path: 'extras/notifications',
  page: false,
  labels: ['notification', 'notifications'],

  fields: {
    object: genericForeignKey(['feature:notifications'], {
      // Not an object that can be subscribed to; subscribers are notified again when it changes.
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
    /** The request that caused it: the pages show one line per request. */
    request: uuid({ nullable: true, hidden: true, filter: false }),
    /** Name of the user who made the request. */
    author: text({ max: 150, default: '', hidden: true, filter: false }),
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

const LONGEST_TEXT = 200

/** Stores the object's display text, so that the notification can show it after the object is deleted. */
const keepObjectText: Normalizer<typeof notification.fields> = async ({ next, read }) => {
  const target = await read.find(modelNamed(next.object_type), { id: next.object_id })
  return target ? { object_repr: firstCharacters(target.display, LONGEST_TEXT) } : undefined
}

export const notificationModel = registered(notification, {
  behaviour: behaviour(notification, { beforeSave: [keepObjectText] }),
  columns: words('object object_type event_type created'),
  labels: { object_type: 'Object Type' },
  panels: words('object_type object_id object user read event_type'),
})
