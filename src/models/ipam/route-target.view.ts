import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const routeTargetView = modelView('ipam.routetarget', {
  columns: ['name', 'tenant', 'description'],
  moreColumns: words('id tenant.group comments tags created last_updated owner.group owner'),
  panels: [[fieldGroup('Route target', ['name', 'tenant', 'description'])]],
  tables: [
    { model: 'ipam.vrf', by: { import_target_id: 'id' }, label: 'Importing VRFs' },
    { model: 'ipam.vrf', by: { export_target_id: 'id' }, label: 'Exporting VRFs' },
    { model: 'vpn.l2vpn', by: { import_target_id: 'id' }, label: 'Importing L2VPNs' },
    { model: 'vpn.l2vpn', by: { export_target_id: 'id' }, label: 'Exporting L2VPNs' },
  ],
  form: [fieldGroup('Route Target', ['name', 'description', 'tags'])],
  filters: [fieldGroup('VRF', ['importing_vrf_id', 'exporting_vrf_id'])],
  bulkEdit: [fieldGroup('', ['tenant', 'description'])],
  imports: ['name', 'tenant.name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, description: 500, comments: 5000 },
    shown: ['tenant', 'description'],
  },
})
