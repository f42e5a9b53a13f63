import { boolean, foreignKey, list, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * A user's account at a login provider. Names can be reassigned at the provider; the subject never changes (OpenID
 * Connect Core 1.0 §5.7).
 */
export const identity = model({
  name: 'users.identity',
  labels: ['identity', 'identities'],
  page: false,

  fields: {
    issuer: text({ max: 500 }),
    subject: text({ max: 255 }),
    user: foreignKey('users.user', { onDelete: 'cascade', related: '+' }),
    /** Ids of the local groups that the provider assigned at the last login, so that it can remove them again. */
    given_groups: list('integer', { default: [], blank: true }),
    gave_superuser: boolean({ default: false }),
    /** The provider's own id of a person managed by SCIM, if it has sent one. */
    external_id: text({ max: 255, nullable: true }),
  },

  display: '{subject} at {issuer}',
  brief: ['id', 'display'],
  order: ['id'],
  unique: [
    { fields: ['issuer', 'subject'] },
    { fields: ['issuer', 'user'] },
    { fields: ['issuer', 'external_id'], whereNotNull: ['external_id'] },
  ],
  private: true,
  internal: true,
})
