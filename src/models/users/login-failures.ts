import { dateTime, integer, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** How often somebody failed to sign in as one account or from one address; auth/login-throttle.ts counts. */
export const loginFailures = model({
  name: 'users.loginfailures',
  labels: ['login failures', 'login failures'],
  page: false,

  fields: {
    /** Digest of the account's name or of the address: what people type as a name may be a password. */
    key: text({ max: 64, unique: true }),
    failures: integer({}),
    /** From then on the failures are forgotten. */
    ends: dateTime({}),
  },

  display: '{key}',
  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  internal: true,
  transient: true,
})
