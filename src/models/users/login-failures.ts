import { dateTime, integer, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** Number of failed logins for an account or from an address; counted by identity/login-throttle.ts. */
export const loginFailures = model({
  name: 'users.loginfailures',
  labels: ['login failures', 'login failures'],
  page: false,

  fields: {
    /** Digest of the account's name or of the address: a text typed as a user name may be a password. */
    key: text({ max: 64, unique: true }),
    failures: integer({}),
    /** Time at which the failures expire. */
    ends: dateTime({}),
  },

  display: '{key}',
  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  internal: true,
  transient: true,
})
