import { fieldGroup, modelView } from '../../schema/view.ts'

export const clusterTypeView = modelView('virtualization.clustertype', {
  columns: ['name', 'cluster_count', 'description'],
  moreColumns: [
    'id',
    'slug',
    'comments',
    'created',
    'last_updated',
    'tags',
    'owner.group',
    'owner',
  ],
  labels: { cluster_count: 'Clusters' },
  panels: [[fieldGroup('Cluster type', ['name', 'description'])]],
  form: [fieldGroup('Cluster Type', ['name', 'slug', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'slug', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
