import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const vrfView = modelView('ipam.vrf', {
  context: ['tenant'],
  columns: ['name', 'rd', 'tenant', 'description'],
  moreColumns: words(`
    id tenant.group enforce_unique import_targets export_targets comments tags created last_updated
    owner.group owner
  `),
  labels: {
    rd: 'RD',
    enforce_unique: 'Unique',
    import_targets: 'Import Targets',
    export_targets: 'Export Targets',
  },
  formLabels: { rd: 'RD' },
  panels: [[fieldGroup('VRF', ['rd', 'tenant', 'enforce_unique', 'description'])]],
  cloned: ['tenant', 'enforce_unique', 'description'],
  form: [
    fieldGroup('VRF', ['name', 'rd', 'enforce_unique', 'description', 'tags']),
    fieldGroup('Route Targets', ['import_targets', 'export_targets']),
  ],
  filters: [fieldGroup('Route Targets', ['import_target_id', 'export_target_id'])],
  bulkEdit: [fieldGroup('', ['tenant', 'enforce_unique', 'description'])],
  imports: words(`
    name rd tenant.name enforce_unique description import_targets.name export_targets.name
    owner.name comments tags.slug
  `),
  search: {
    weights: { name: 100, rd: 200, description: 500, comments: 5000 },
    shown: ['rd', 'tenant', 'description'],
  },
})
