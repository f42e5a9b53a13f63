import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { fieldGroup, modelView, words } from '../../schema/view.ts'

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

export const providerNetworkView = modelView('circuits.providernetwork', {
  context: ['provider'],
  columns: ['name', 'provider', 'service_id', 'description'],
  moreColumns: ['id', 'comments', 'created', 'last_updated', 'tags', 'owner.group', 'owner'],
  panels: [[fieldGroup('Provider network', ['provider', 'name', 'service_id', 'description'])]],
  tables: [
    { model: 'circuits.circuit', by: { provider_network_id: 'id' } },
    { model: 'circuits.virtualcircuit', by: { provider_network_id: 'id' } },
  ],
  form: [fieldGroup('', ['provider', 'name', 'service_id', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['provider_id', 'service_id'])],
  bulkEdit: [fieldGroup('', ['provider', 'service_id', 'description'])],
  imports: words('provider.name name service_id description owner.name comments tags.slug'),
  search: {
    weights: { name: 100, service_id: 200, description: 500, comments: 5000 },
    shown: ['provider', 'service_id', 'description'],
  },
})
