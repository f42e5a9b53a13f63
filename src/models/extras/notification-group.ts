import { LOGGED } from '../../schema/common.ts'
import { dateTime, manyToMany, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** Users and groups who are notified together. */
export const notificationGroup = model({
  name: 'extras.notificationgroup',
  path: 'extras/notification-groups',
  labels: ['notification group', 'notification groups'],

  fields: {
    name: text({ max: 100, unique: true, filter: false }),
    description: text({ max: 200, default: '', filter: false }),
    groups: manyToMany('users.group', { related: 'notification_groups' }),
    users: manyToMany('users.user', { related: 'notification_groups' }),
    created: dateTime({ nullable: true, hidden: true, readOnly: true, auto: 'insert' }),
    last_updated: dateTime({
      nullable: true,
      hidden: true,
      readOnly: true,
      auto: 'save',
      unlogged: true,
    }),
  },

  graphql: { only: ['changelog', 'display', 'class_type', 'users', 'groups'] },
  brief: ['id', 'url', 'display', 'name', 'description'],
  answer: ['id', 'url', 'display', 'display_url', 'name', 'description', 'groups', 'users'],
  order: ['name'],
  features: LOGGED,
})

export const notificationGroupModel = registered(notificationGroup, {
  columns: words('name description groups users'),
  panels: { 'Notification Group': words('name description') },
  form: words('name description groups users'),
  bulkEdit: ['description'],
  imports: { without: ['users'], plus: ['users.username'] },
})
