import { fieldGroup, modelView } from '../../schema/view.ts'

export const regionView = modelView('dcim.region', {
  mapFilter: 'region_id',
  context: ['parent'],
  columns: ['name', 'site_count', 'description'],
  moreColumns: [
    'id',
    'parent',
    'slug',
    'comments',
    'tags',
    'created',
    'last_updated',
    'owner.group',
    'owner',
  ],
  labels: { site_count: 'Sites' },
  panels: [[fieldGroup('Region', ['parent', 'name', 'description'])]],
  tables: [{ model: 'dcim.region', by: { parent_id: 'id' }, label: 'Child Regions' }],
  form: [fieldGroup('', ['parent', 'name', 'slug', 'description', 'tags'])],
  filters: [fieldGroup('Region', ['parent_id'])],
  bulkEdit: [fieldGroup('', ['parent', 'description'])],
  imports: ['name', 'slug', 'parent.name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['parent', 'description'],
  },
})
