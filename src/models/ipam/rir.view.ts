import { fieldGroup, modelView } from '../../schema/view.ts'

export const rirView = modelView('ipam.rir', {
  columns: ['name', 'is_private', 'aggregate_count', 'description'],
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
  labels: { aggregate_count: 'Aggregates' },
  panels: [[fieldGroup('RIR', ['name', 'description', 'is_private'])]],
  form: [fieldGroup('RIR', ['name', 'slug', 'is_private', 'description', 'tags'])],
  filters: [fieldGroup('RIR', ['is_private'])],
  bulkEdit: [fieldGroup('', ['is_private', 'description'])],
  imports: ['name', 'slug', 'is_private', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
