import { dateTime, foreignKey, genericForeignKey } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** A user's request to be notified about changes of an object. */
export const subscription = model({
  name: 'extras.subscription',
  path: 'extras/subscriptions',
  page: false,
  labels: ['subscription', 'subscriptions'],

  fields: {
    object: genericForeignKey(['feature:notifications'], {
      nullable: false,
      related: 'subscriptions',
      listsTypes: true,
      filter: false,
    }),
    user: foreignKey('users.user', {
      onDelete: 'cascade',
      related: 'subscriptions',
      filter: false,
    }),
    created: dateTime({ readOnly: true, auto: 'insert', filter: false }),
  },

  display: '{object.display}',
  graphql: { optional: ['user'], only: ['changelog', 'display', 'class_type', 'user'] },
  brief: ['id', 'url', 'display', 'object_type', 'object_id', 'user'],
  order: ['-created', 'user'],
  unique: [{ fields: ['object_type', 'object_id', 'user'] }],
  visibleWith: { relation: 'object' },
})

export const subscriptionModel = registered(subscription, {
  columns: words('object object_type created'),
  labels: { object_type: 'Object Type' },
  panels: words('object_type object_id object user'),
})
