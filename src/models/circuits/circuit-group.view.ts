import { fieldGroup, modelView } from '../../schema/view.ts'

export const circuitGroupView = modelView('circuits.circuitgroup', {
  columns: ['name', 'description'],
  moreColumns: [
    'tenant',
    'tenant.group',
    'comments',
    'tags',
    'created',
    'last_updated',
    'id',
    'owner.group',
    'owner',
  ],
  panels: [[fieldGroup('Circuit group', ['name', 'description', 'tenant'])]],
  form: [fieldGroup('Circuit Group', ['name', 'slug', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['owner', 'description', 'comments', 'tenant'])],
  imports: ['name', 'slug', 'description', 'tenant.name', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
