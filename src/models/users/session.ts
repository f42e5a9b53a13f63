import { dateTime, foreignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A browser in which somebody has signed in; auth/session.ts starts, finds and ends it. */
export const session = model({
  name: 'users.session',
  labels: ['session', 'sessions'],
  page: false,

  fields: {
    /** SHA-256 of the key that the browser holds, so that the table opens no session. */
    digest: text({ max: 64, unique: true }),
    user: foreignKey('users.user', { onDelete: 'cascade', related: '+' }),
    /** SHA-256 of the password's hash at the login: with another password the session is over. */
    password_digest: text({ max: 64 }),
    created: dateTime({ auto: 'insert' }),
    expires: dateTime({}),
  },

  display: 'Session of {user.username}',
  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  internal: true,
  transient: true,
})
