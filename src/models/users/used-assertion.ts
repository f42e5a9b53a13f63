import { dateTime, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * A SAML request that has been answered: no further response to it signs anybody in. identity/saml-provider.ts writes
 * it.
 */
export const usedAssertion = model({
  name: 'users.usedassertion',
  labels: ['used assertion', 'used assertions'],
  page: false,

  fields: {
    request: text({ max: 65, unique: true }),
    /** Time from which the assertion would be refused as expired anyway. */
    ends: dateTime({}),
  },

  display: '{request}',
  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  internal: true,
  transient: true,
})
