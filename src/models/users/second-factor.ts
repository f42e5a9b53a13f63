import { boolean, foreignKey, integer, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * The authenticator application with which a user confirms logins by password; identity/second-factor.ts checks its
 * codes.
 */
export const secondFactor = model({
  name: 'users.secondfactor',
  labels: ['second factor', 'second factors'],
  page: false,

  fields: {
    user: foreignKey('users.user', { onDelete: 'cascade', related: '+' }),
    /** Encrypted with a key outside the database. */
    secret: text({ max: 500 }),
    /** Whether the user has proved that the application has the secret. */
    confirmed: boolean({ default: false }),
    /** Step of the last code: each is accepted once. */
    last_step: integer({ default: 0 }),
    /** Digests of the unused recovery codes, separated by spaces. */
    recovery: text({ max: 2000, default: '' }),
  },

  display: 'Second factor of {user.username}',
  brief: ['id', 'display'],
  order: ['id'],
  unique: [{ fields: ['user'] }],
  private: true,
  internal: true,
})
