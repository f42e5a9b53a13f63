import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const asnRangeView = modelView('ipam.asnrange', {
  context: ['rir'],
  columns: ['name', 'rir', 'start', 'end', 'tenant', 'description'],
  moreColumns: words('slug tenant.group comments tags created last_updated id owner.group owner'),
  panels: [[fieldGroup('ASN range', ['name', 'rir', 'start', 'end', 'tenant', 'description'])]],
  tabs: [
    { path: 'asns', label: 'ASNs', model: 'ipam.asn', by: { asn__gte: 'start', asn__lte: 'end' } },
  ],
  form: [fieldGroup('ASN Range', ['name', 'slug', 'rir', 'start', 'end', 'description', 'tags'])],
  filters: [fieldGroup('Range', ['rir_id', 'start', 'end'])],
  bulkEdit: [fieldGroup('', ['rir', 'tenant', 'description'])],
  imports: words(
    'name slug rir.name start end tenant.name description owner.name comments tags.slug',
  ),
  search: {
    weights: { name: 100, description: 500, comments: 5000 },
    shown: ['rir', 'tenant', 'description'],
  },
})
