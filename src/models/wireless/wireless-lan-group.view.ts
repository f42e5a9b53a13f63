import { fieldGroup, modelView } from '../../schema/view.ts'

export const wirelessLanGroupView = modelView('wireless.wirelesslangroup', {
  context: ['parent'],
  columns: ['name', 'wirelesslan_count', 'description'],
  moreColumns: [
    'parent',
    'slug',
    'comments',
    'tags',
    'created',
    'last_updated',
    'id',
    'owner.group',
    'owner',
  ],
  labels: { wirelesslan_count: 'Wireless LANs' },
  panels: [[fieldGroup('Wireless LAN group', ['parent', 'name', 'description'])]],
  tables: [{ model: 'wireless.wirelesslangroup', by: { parent_id: 'id' }, label: 'Child Groups' }],
  form: [fieldGroup('Wireless LAN Group', ['parent', 'name', 'slug', 'description', 'tags'])],
  filters: [fieldGroup('Wireless LAN group', ['parent_id'])],
  bulkEdit: [fieldGroup('', ['parent', 'description'])],
  imports: ['name', 'slug', 'parent.name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
