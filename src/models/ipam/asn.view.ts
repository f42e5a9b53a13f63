import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const asnView = modelView('ipam.asn', {
  context: ['rir'],
  columns: ['asn', 'rir', 'role', 'site_count', 'provider_count', 'sites', 'description', 'tenant'],
  moreColumns: words('tenant.group comments tags created last_updated id owner.group owner'),
  labels: {
    site_count: 'Site Count',
    provider_count: 'Provider Count',
  },
  panels: [[fieldGroup('ASN', ['asn', 'rir', 'role', 'tenant', 'description'])]],
  form: [fieldGroup('ASN', ['asn', 'rir', 'role', 'sites', 'description', 'tags'])],
  filters: [fieldGroup('Assignment', ['rir_id', 'role_id', 'site_group_id', 'site_id'])],
  bulkEdit: [fieldGroup('', ['sites', 'rir', 'role', 'tenant', 'description'])],
  imports: words('asn rir.name role.name tenant.name description owner.name comments tags.slug'),
  search: {
    weights: { asn: 100, display: 110, description: 500, comments: 5000 },
    shown: ['rir', 'role', 'tenant', 'description'],
  },
})
