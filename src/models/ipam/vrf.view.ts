import { fieldGroup, modelView } from '../../schema/view.ts'

export const vrfView = modelView('ipam.vrf', {
  context: ['tenant'],
  columns: ['name', 'rd', 'tenant', 'description'],
  panels: [[fieldGroup('VRF', ['rd', 'tenant', 'enforce_unique', 'description'])]],
  form: [
    fieldGroup('VRF', ['name', 'rd', 'enforce_unique', 'description', 'tags']),
    fieldGroup('Route Targets', ['import_targets', 'export_targets']),
    fieldGroup('Tenancy', ['tenant']),
    fieldGroup('', ['owner', 'comments']),
  ],
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Route Targets', ['import_target_id', 'export_target_id']),
    fieldGroup('Tenant', ['tenant_group_id', 'tenant_id']),
    fieldGroup('Ownership', ['owner_group_id', 'owner_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['tenant', 'enforce_unique', 'description']),
    fieldGroup('More', ['owner', 'comments']),
  ],
  imports: [
    'name',
    'rd',
    'tenant.name',
    'enforce_unique',
    'description',
    'import_targets.name',
    'export_targets.name',
    'owner.name',
    'comments',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, rd: 200, description: 500, comments: 5000 },
    shown: ['rd', 'tenant', 'description'],
  },
})
