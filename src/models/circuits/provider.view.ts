import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const providerView = modelView('circuits.provider', {
  columns: ['name', 'circuit_count'],
  moreColumns: words(
    'id accounts asns description comments tags created last_updated owner.group owner',
  ),
  labels: { circuit_count: 'Circuits' },
  panels: [[fieldGroup('Provider', ['name', 'asns', 'description'])]],
  tables: [
    { model: 'circuits.provideraccount', by: { provider_id: 'id' } },
    { model: 'circuits.circuit', by: { provider_id: 'id' } },
  ],
  form: [fieldGroup('', ['name', 'slug', 'asns', 'description', 'tags'])],
  filters: [
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id']),
    fieldGroup('ASN', ['asn_id']),
  ],
  bulkEdit: [fieldGroup('', ['asns', 'description'])],
  imports: ['name', 'slug', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
