import { dateTime, foreignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A login of a user in a browser; identity/session.ts starts, reads and ends it. */
export const session = model({
  name: 'users.session',
  labels: ['session', 'sessions'],
  page: false,

  fields: {
    /** SHA-256 of the key in the browser's cookie, so that the table alone gives no access. */
    digest: text({ max: 64, unique: true }),
    user: foreignKey('users.user', { onDelete: 'cascade', related: '+' }),
    /** SHA-256 of the password's hash at the login: a change of the password ends the session. */
    password_digest: text({ max: 64 }),
    created: dateTime({ auto: 'insert' }),
    expires: dateTime({}),
    /** The browser's `User-Agent`, and the address of the login, by which users recognise their sessions. */
    browser: text({ max: 300, default: '' }),
    address: text({ max: 64, default: '' }),
  },

  display: 'Session of {user.username}',
  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  internal: true,
  transient: true,
})
