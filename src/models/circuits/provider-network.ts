import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A provider's network whose structure is unknown, treated as a single place. */
export const providerNetwork = model({
  name: 'circuits.providernetwork',
  path: 'circuits/provider-networks',
  labels: ['provider network', 'provider networks'],

  fields: {
    provider: foreignKey('circuits.provider', { related: 'networks' }),
    name: text({ max: 100, collation: 'natural' }),
    service_id: text({ max: 100, default: '', label: 'Service ID' }),
    description,
    owner,
    comments,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['provider', 'name'],
  search: ['comments', 'description', 'name', 'service_id'],
  unique: [{ fields: ['provider', 'name'] }],

  features: PRIMARY,
})
