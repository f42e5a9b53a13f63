import { manyToMany, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A group that a provider manages here by SCIM. The group mapping says what its members get; api/scim/ writes it. */
export const scimGroup = model({
  name: 'users.scimgroup',
  labels: ['SCIM group', 'SCIM groups'],
  page: false,

  fields: {
    /** Name of the provider in the configuration. */
    provider: text({ max: 32 }),
    name: text({ max: 255 }),
    external_id: text({ max: 255, nullable: true }),
    members: manyToMany('users.user', { related: '+' }),
  },

  brief: ['id', 'display'],
  order: ['id'],
  unique: [{ fields: ['provider', 'name'] }],
  private: true,
  internal: true,
})
