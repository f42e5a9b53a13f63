import { fieldGroup, modelView } from '../../schema/view.ts'

export const tagView = modelView('extras.tag', {
  columns: ['name', 'slug', 'color', 'description'],
  moreColumns: ['id', 'weight', 'object_types', 'created', 'last_updated'],
  labels: { object_types: 'Object Types' },
  panels: [[fieldGroup('Tag', ['name', 'description', 'color', 'weight', 'tagged_items'])]],
  cloned: ['color', 'description', 'object_types'],
  form: [fieldGroup('Tag', ['name', 'slug', 'color', 'weight', 'description', 'object_types'])],
  filters: [fieldGroup('Attributes', ['content_type_id', 'for_object_type_id'])],
  bulkEdit: [fieldGroup('', ['owner', 'color', 'description', 'weight'])],
  importRequires: ['color', 'weight'],
  imports: ['name', 'slug', 'color', 'weight', 'description', 'object_types', 'owner.name'],
  search: { weights: { name: 100, slug: 110, description: 500 }, shown: ['description'] },
})
