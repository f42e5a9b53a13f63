import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

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

export const providerNetworkModel = registered(providerNetwork, {
  context: ['provider'],
  columns: words('name provider service_id description'),
  panels: words('provider name service_id description'),
  tables: [
    { model: 'circuits.circuit', by: { provider_network_id: 'id' } },
    { model: 'circuits.virtualcircuit', by: { provider_network_id: 'id' } },
  ],
  form: words('provider name service_id description tags'),
  filters: { Attributes: words('provider_id service_id') },
  search: { weights: { service_id: 200 }, shown: words('provider service_id description') },
})
