import { description } from '../../schema/common.ts'
import { manyToMany, relatedCount, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** Users who share permissions. */
export const group = model({
  name: 'users.group',
  path: 'users/groups',
  labels: ['group', 'groups'],

  fields: {
    name: text({ max: 150, unique: true }),
    description,
    permissions: manyToMany('users.objectpermission', { related: 'groups' }),
    user_count: relatedCount('users.user', 'groups'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    user_id: related('users', 'users.user'),
    owner_id: related('owners', 'users.owner'),
    owner: related('owners', 'users.owner', 'name'),
    permission_id: related('permissions', 'users.objectpermission'),
    notification_group_id: related('notification_groups', 'extras.notificationgroup'),
  },
})
