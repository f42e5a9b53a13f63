import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const l2vpnView = modelView('vpn.l2vpn', {
  columns: ['name', 'status', 'identifier', 'type', 'description'],
  moreColumns: words(`
    slug import_targets export_targets tenant tenant.group comments tags created last_updated id
    owner.group owner
  `),
  labels: {
    import_targets: 'Import Targets',
    export_targets: 'Export Targets',
  },
  panels: [
    [fieldGroup('L2VPN', ['name', 'identifier', 'type', 'status', 'description', 'tenant'])],
  ],
  tables: [{ model: 'vpn.l2vpntermination', by: { l2vpn_id: 'id' }, label: 'Terminations' }],
  cloned: ['type', 'status'],
  form: [
    fieldGroup('L2VPN', ['name', 'slug', 'type', 'status', 'identifier', 'description', 'tags']),
    fieldGroup('Route Targets', ['import_targets', 'export_targets']),
  ],
  filters: [fieldGroup('Attributes', ['type', 'status', 'import_target_id', 'export_target_id'])],
  bulkEdit: [fieldGroup('', ['status', 'type', 'tenant', 'description'])],
  importRequires: ['status'],
  imports: words(
    'identifier name slug tenant.name type description owner.name comments tags.slug status',
  ),
  search: {
    weights: { name: 100, slug: 110, identifier: 200, description: 500, comments: 5000 },
    shown: ['type', 'status', 'identifier', 'tenant', 'description'],
  },
})
