import { fieldGroup, modelView } from '../../schema/view.ts'

export const rackGroupView = modelView('dcim.rackgroup', {
  columns: ['name', 'rack_count', 'description'],
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
  labels: { rack_count: 'Racks' },
  panels: [[fieldGroup('Rack group', ['name', 'description'])]],
  form: [fieldGroup('Rack Group', ['name', 'slug', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'slug', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
