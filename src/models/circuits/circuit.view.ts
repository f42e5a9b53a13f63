import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const circuitView = modelView('circuits.circuit', {
  context: ['provider'],
  columns: words('cid provider type status tenant termination_a termination_z description'),
  moreColumns: words(`
    id provider_account tenant.group install_date termination_date commit_rate comments tags created
    last_updated owner.group owner distance
  `),
  labels: {
    provider_account: 'Account',
    termination_a: 'Side A',
    termination_z: 'Side Z',
    commit_rate: 'Commit Rate',
  },
  panels: [
    [
      fieldGroup(
        'Circuit',
        `
          provider provider_account cid type status distance tenant install_date termination_date
          commit_rate description
        `,
      ),
    ],
  ],
  overview: [
    { model: 'circuits.circuittermination', by: { circuit_id: 'id' }, label: 'Terminations' },
    {
      model: 'tenancy.contactassignment',
      by: { object_type: '=circuits.circuit', object_id: 'id' },
      label: 'Contacts',
    },
  ],
  cloned: words(`
    provider provider_account type status tenant install_date termination_date commit_rate
    description
  `),
  form: [
    fieldGroup(
      'Circuit',
      'provider provider_account cid type status distance distance_unit description tags',
    ),
    fieldGroup('Service Parameters', ['install_date', 'termination_date', 'commit_rate']),
  ],
  narrowedBy: { provider_account: { provider_id: 'provider' } },
  filters: [
    fieldGroup('Provider', ['provider_id', 'provider_account_id', 'provider_network_id']),
    fieldGroup(
      'Attributes',
      'type_id status install_date termination_date commit_rate distance distance_unit',
    ),
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id']),
  ],
  bulkEdit: [
    fieldGroup('Circuit', ['provider', 'type', 'status', 'description']),
    fieldGroup('Service Parameters', 'provider_account install_date termination_date commit_rate'),
    fieldGroup('Attributes', ['distance', 'distance_unit']),
  ],
  importRequires: ['status'],
  imports: words(`
    cid provider.name provider_account.name type.name status tenant.name install_date
    termination_date commit_rate distance distance_unit description owner.name comments tags.slug
  `),
  search: {
    weights: { cid: 100, description: 500, comments: 5000 },
    shown: ['provider', 'provider_account', 'type', 'status', 'tenant', 'description'],
  },
})
