import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const providerAccountView = modelView('circuits.provideraccount', {
  context: ['provider'],
  columns: ['account', 'name', 'provider'],
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  labels: { account: 'Account' },
  panels: [[fieldGroup('Provider account', ['provider', 'account', 'name', 'description'])]],
  tables: [{ model: 'circuits.circuit', by: { provider_account_id: 'id' } }],
  cloned: ['provider'],
  form: [fieldGroup('', ['provider', 'account', 'name', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['provider_id', 'account'])],
  bulkEdit: [fieldGroup('', ['provider', 'description'])],
  imports: words('provider.name name account description owner.name comments tags.slug'),
  search: {
    weights: { name: 100, account: 200, comments: 5000 },
    shown: ['provider', 'account', 'description'],
  },
})
