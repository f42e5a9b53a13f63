import { fieldGroup, modelView } from '../../schema/view.ts'

export const contactGroupView = modelView('tenancy.contactgroup', {
  context: ['parent'],
  columns: ['name', 'contact_count', 'description'],
  moreColumns: [
    'parent',
    'comments',
    'slug',
    'tags',
    'created',
    'last_updated',
    'id',
    'owner.group',
    'owner',
  ],
  labels: { contact_count: 'Contacts' },
  panels: [[fieldGroup('Contact group', ['parent', 'name', 'description'])]],
  tables: [{ model: 'tenancy.contactgroup', by: { parent_id: 'id' }, label: 'Child Groups' }],
  form: [fieldGroup('Contact Group', ['parent', 'name', 'slug', 'description', 'tags'])],
  filters: [fieldGroup('Contact Group', ['parent_id'])],
  bulkEdit: [fieldGroup('', ['parent', 'description'])],
  imports: ['name', 'slug', 'parent.name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
