import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const virtualCircuitView = modelView('circuits.virtualcircuit', {
  context: ['provider_network'],
  columns: words(`
    cid provider_network.provider provider_account provider_network type status tenant description
  `),
  moreColumns: words('id tenant.group comments tags created last_updated owner.group owner'),
  labels: {
    provider_account: 'Account',
  },
  panels: [
    [
      fieldGroup(
        'Virtual circuit',
        `
          provider_network.provider provider_network provider_account cid type status tenant
          description
        `,
      ),
    ],
  ],
  tables: [
    {
      model: 'circuits.virtualcircuittermination',
      by: { virtual_circuit_id: 'id' },
      label: 'Terminations',
    },
  ],
  cloned: ['provider_network', 'provider_account', 'status', 'tenant', 'description'],
  form: [
    fieldGroup(
      'Virtual circuit',
      'provider_network provider_account cid type status description tags',
    ),
  ],
  filters: [
    fieldGroup('Provider', ['provider_id', 'provider_account_id', 'provider_network_id']),
    fieldGroup('Attributes', ['type_id', 'status']),
  ],
  bulkEdit: [
    fieldGroup('Virtual circuit', 'provider_network provider_account status description'),
    fieldGroup('More', ['owner', 'comments', 'type']),
  ],
  importRequires: ['status'],
  imports: words(`
    cid provider_network.name provider_account.account type.name status tenant.name description
    owner.name comments tags.slug
  `),
  search: {
    weights: { cid: 100, description: 500, comments: 5000 },
    shown: ['provider_network', 'provider_account', 'status', 'tenant', 'description'],
  },
})
