import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const aggregateView = modelView('ipam.aggregate', {
  context: ['rir'],
  columns: ['prefix', 'rir', 'tenant', 'date_added', 'description'],
  moreColumns: words('id tenant.group comments tags created last_updated owner.group owner'),
  labels: {
    prefix: 'Aggregate',
    date_added: 'Added',
  },
  part: 'addressSpace',
  panels: [
    [fieldGroup('Aggregate', ['family', 'rir', 'prefix', 'tenant', 'date_added', 'description'])],
  ],
  tabs: [{ path: 'prefixes', label: 'Prefixes', model: 'ipam.prefix', by: { within: 'prefix' } }],
  cloned: ['rir', 'tenant', 'date_added', 'description'],
  form: [fieldGroup('Aggregate', ['prefix', 'rir', 'date_added', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['family', 'rir_id'])],
  bulkEdit: [fieldGroup('', ['rir', 'tenant', 'date_added', 'description'])],
  imports: words(
    'prefix rir.name tenant.name date_added description owner.name comments tags.slug',
  ),
  search: {
    weights: { prefix: 120, description: 500, date_added: 2000, comments: 5000 },
    shown: ['rir', 'tenant', 'description'],
  },
})
