import { fieldGroup, modelView } from '../../schema/view.ts'

export const contactRoleView = modelView('tenancy.contactrole', {
  columns: ['name', 'description'],
  moreColumns: [
    'comments',
    'slug',
    'tags',
    'created',
    'last_updated',
    'id',
    'owner.group',
    'owner',
  ],
  panels: [[fieldGroup('Contact role', ['name', 'description'])]],
  form: [fieldGroup('Contact Role', ['name', 'slug', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'slug', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
