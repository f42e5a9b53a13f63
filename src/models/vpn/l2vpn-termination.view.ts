import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { interfaceColumns } from '../dcim/interface-columns.ts'

export const l2vpnTerminationView = modelView('vpn.l2vpntermination', {
  context: ['l2vpn', 'assigned_object'],
  columns: ['l2vpn', 'assigned_object_type', 'assigned_object'],
  moreColumns: ['tags', 'id'],
  labels: { l2vpn: 'L2VPN', assigned_object_type: 'Object Type', assigned_object: 'Object' },
  panels: [[fieldGroup('L2VPN termination', ['l2vpn', 'assigned_object'])]],
  cloned: ['l2vpn'],
  form: [fieldGroup('', ['l2vpn', 'assigned_object', 'tags'])],
  filters: [
    fieldGroup('', ['tag', 'l2vpn_id']),
    fieldGroup(
      'Assigned Object',
      'assigned_object_type_id region_id site_id device_id virtual_machine_id vlan_id',
    ),
  ],
  importColumns: {
    ...interfaceColumns('assigned_object'),
    vlan: { to: 'ipam.vlan', assigns: 'assigned_object' },
  },
  imports: words('l2vpn.name device.name virtual_machine.name interface.name vlan.name tags.slug'),
})
