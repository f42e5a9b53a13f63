import { fieldGroup, modelView } from '../../schema/view.ts'

export const tenantView = modelView('tenancy.tenant', {
  context: ['group'],
  columns: ['name', 'group', 'description'],
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
  panels: [[fieldGroup('Tenant', ['group', 'description'])]],
  cloned: ['group', 'description'],
  form: [fieldGroup('Tenant', ['name', 'slug', 'group', 'description', 'tags'])],
  filters: [fieldGroup('Tenant', ['group_id'])],
  bulkEdit: [fieldGroup('', ['group', 'description'])],
  imports: ['name', 'slug', 'group.name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['group', 'description'],
  },
})
