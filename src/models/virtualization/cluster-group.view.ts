import { fieldGroup, modelView } from '../../schema/view.ts'

export const clusterGroupView = modelView('virtualization.clustergroup', {
  columns: ['name', 'cluster_count', 'description'],
  moreColumns: [
    'id',
    'slug',
    'comments',
    'tags',
    'created',
    'last_updated',
    'owner.group',
    'owner',
  ],
  labels: { cluster_count: 'Clusters' },
  panels: [[fieldGroup('Cluster group', ['name', 'description'])]],
  form: [fieldGroup('Cluster Group', ['name', 'slug', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'slug', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
