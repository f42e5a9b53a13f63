import { boolean, dateTime, email, manyToMany, text } from '../../schema/field.ts'
import { booleanFilter, byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** `mscott (Michael Scott)`, or the user name alone. */
const displayOfUser = (column: ColumnOf): Sql => sql`${column('username')} || coalesce(
  ' (' || nullif(trim(${column('first_name')} || ' ' || ${column('last_name')}), '') || ')',
  ''
)`

/** An account that can sign in. */
export const user = model({
  name: 'users.user',
  path: 'users/users',
  labels: ['user', 'users'],

  fields: {
    username: text({
      max: 150,
      unique: true,
      pattern: [/^[\w.@+\-\p{L}\p{M}\p{N}]+$/u, 'Enter a valid username: letters, digits and @/./+/-/_ only.'],
    }),
    password: text({ max: 128, writeOnly: true, example: 'Example-Passw0rd' }),
    first_name: text({ max: 150, default: '' }),
    last_name: text({ max: 150, default: '' }),
    email: email({ max: 254, default: '', label: 'Email address' }),
    is_active: boolean({ default: true, label: 'Active' }),
    date_joined: dateTime({ defaultFrom: 'now' }),
    last_login: dateTime({ nullable: true }),
    groups: manyToMany('users.group', { related: 'users' }),
    permissions: manyToMany('users.objectpermission', { related: 'users' }),
    is_superuser: boolean({ default: false, hidden: true }),
  },

  display: displayOfUser,
  graphql: { display: 'username' },
  brief: ['id', 'url', 'display', 'username'],
  order: ['username'],
  search: ['email', 'last_name', 'username', 'first_name'],

  filters: {
    is_superuser: booleanFilter('is_superuser'),
    ...byIdAnd('name', 'group', related('groups', 'users.group')),
    ...byIdAnd('name', 'owner', related('owners', 'users.owner')),
    permission_id: related('permissions', 'users.objectpermission'),
    notification_group_id: related('notification_groups', 'extras.notificationgroup'),
  },
  hasHistory: true,
  isShared: true,
})

export const userModel = registered(user, {
  columns: words('username first_name last_name email is_active'),
  moreColumns: words('id groups last_login'),
  labels: { is_active: 'Is Active' },
  formLabels: { is_superuser: 'Superuser status' },
  panels: words('username email date_joined last_login is_active'),
  tables: [
    { model: 'users.group', by: { user_id: 'id' }, label: 'Assigned Groups' },
    { model: 'users.objectpermission', by: { user_id: 'id' }, label: 'Assigned Permissions' },
    { model: 'users.owner', by: { user_id: 'id' }, label: 'Owner Membership' },
  ],
  setElsewhere: { permissions: 'the form of a permission' },
  form: {
    User: words('username password first_name last_name email'),
    Groups: ['groups'],
    Status: words('is_active is_superuser'),
  },
  filters: { Group: ['group_id'], Status: words('is_active is_superuser') },
  bulkEdit: words('first_name last_name is_active is_superuser'),
  imports: { without: ['groups'] },
})
