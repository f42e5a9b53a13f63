import { description } from '../../schema/common.ts'
import { manyToMany, relatedCount, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

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

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    user_id: related('users', 'users.user'),
    ...byIdAnd('name', 'owner', related('owners', 'users.owner')),
    permission_id: related('permissions', 'users.objectpermission'),
    notification_group_id: related('notification_groups', 'extras.notificationgroup'),
  },
  hasHistory: true,
  isShared: true,
})

export const groupModel = registered(group, {
  columns: words('name description'),
  moreColumns: ['id'],
  panels: words('name description'),
  tables: [
    { model: 'users.user', by: { group_id: 'id' } },
    { model: 'users.objectpermission', by: { group_id: 'id' }, label: 'Assigned Permissions' },
    { model: 'users.owner', by: { user_group_id: 'id' }, label: 'Owner Membership' },
  ],
  setElsewhere: { permissions: 'the form of a permission' },
  form: words('name description'),
})
