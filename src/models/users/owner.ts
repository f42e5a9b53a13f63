import { description } from '../../schema/common.ts'
import { foreignKey, manyToMany, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** Users and groups who are responsible for objects. */
export const owner = model({
  name: 'users.owner',
  path: 'users/owners',
  labels: ['owner', 'owners'],

  fields: {
    name: text({ max: 100, unique: true }),
    group: foreignKey('users.ownergroup', { related: 'members', nullable: true, required: true }),
    description,
    user_groups: manyToMany('users.group', { related: 'owners' }),
    users: manyToMany('users.user', { related: 'owners' }),
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    group: related('group', 'users.ownergroup', 'name'),
    ...byIdAnd('name', 'user_group', related('user_groups', 'users.group')),
    ...byIdAnd('username', 'user', related('users', 'users.user')),
  },
  features: words('bookmarks cloning customLinks eventRules exportTemplates notifications'),
  hasHistory: true,
  isShared: true,
})

export const ownerModel = registered(owner, {
  context: ['group'],
  columns: words('name group description user_groups users'),
  labels: { user_groups: 'Groups' },
  panels: words('name group description'),
  tables: [
    { model: 'users.group', by: { owner_id: 'id' } },
    { model: 'users.user', by: { owner_id: 'id' } },
  ],
  cloned: words('user_groups users'),
  form: {
    Owner: words('name group description'),
    Groups: ['user_groups'],
    Users: ['users'],
  },
  filters: { Group: ['group_id'], Membership: words('user_group_id user_id') },
  bulkEdit: words('group description'),
  imports: { without: ['users'], plus: ['users.username'] },
})
