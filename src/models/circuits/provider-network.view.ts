import { fieldGroup, modelView, words } from '../../schema/view.ts'

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
