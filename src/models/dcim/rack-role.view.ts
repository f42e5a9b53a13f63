import { fieldGroup, modelView } from '../../schema/view.ts'

export const rackRoleView = modelView('dcim.rackrole', {
  columns: ['name', 'rack_count', 'color', 'description'],
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
  panels: [[fieldGroup('Rack role', ['name', 'description', 'color'])]],
  form: [fieldGroup('Rack Role', ['name', 'slug', 'color', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['color', 'description'])],
  importRequires: ['color'],
  imports: ['name', 'slug', 'color', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
