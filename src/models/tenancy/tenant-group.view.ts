import { fieldGroup, modelView } from '../../schema/view.ts'

export const tenantGroupView = modelView('tenancy.tenantgroup', {
  context: ['parent'],
  columns: ['name', 'tenant_count', 'description'],
  moreColumns: [
    'id',
    'parent',
    'comments',
    'slug',
    'tags',
    'created',
    'last_updated',
    'owner.group',
    'owner',
  ],
  labels: { tenant_count: 'Tenants' },
  panels: [[fieldGroup('Tenant group', ['parent', 'name', 'description'])]],
  tables: [{ model: 'tenancy.tenantgroup', by: { parent_id: 'id' }, label: 'Child Groups' }],
  form: [fieldGroup('Tenant Group', ['parent', 'name', 'slug', 'description', 'tags'])],
  filters: [fieldGroup('Tenant Group', ['parent_id'])],
  bulkEdit: [fieldGroup('', ['owner', 'description', 'comments', 'parent'])],
  imports: ['name', 'slug', 'parent.name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
