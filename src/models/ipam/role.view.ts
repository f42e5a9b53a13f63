import { fieldGroup, modelView } from '../../schema/view.ts'

export const roleView = modelView('ipam.role', {
  columns: ['name', 'prefix_count', 'vlan_count', 'asn_count', 'description'],
  moreColumns: [
    'id',
    'slug',
    'weight',
    'comments',
    'tags',
    'created',
    'last_updated',
    'owner.group',
    'owner',
  ],
  labels: {
    prefix_count: 'Prefixes',
    vlan_count: 'VLANs',
    asn_count: 'ASNs',
  },
  panels: [[fieldGroup('Role', ['name', 'description', 'weight'])]],
  form: [fieldGroup('Role', ['name', 'slug', 'weight', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['weight', 'description'])],
  importRequires: ['weight'],
  imports: ['name', 'slug', 'weight', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
