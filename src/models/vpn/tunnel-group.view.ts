import { fieldGroup, modelView } from '../../schema/view.ts'

export const tunnelGroupView = modelView('vpn.tunnelgroup', {
  columns: ['name', 'tunnel_count', 'description'],
  moreColumns: [
    'id',
    'comments',
    'slug',
    'tags',
    'created',
    'last_updated',
    'owner.group',
    'owner',
  ],
  labels: { tunnel_count: 'Tunnels' },
  panels: [[fieldGroup('Tunnel group', ['name', 'description'])]],
  form: [fieldGroup('Tunnel Group', ['name', 'slug', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['owner', 'description', 'comments'])],
  imports: ['name', 'slug', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
