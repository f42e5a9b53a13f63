import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { interfaceColumns } from '../dcim/interface-columns.ts'

export const tunnelTerminationView = modelView('vpn.tunneltermination', {
  context: ['tunnel', 'termination'],
  columns: ['id', 'tunnel', 'role', 'termination', 'outside_ip'],
  moreColumns: ['tags', 'created', 'last_updated'],
  labels: { termination: 'Tunnel interface' },
  formLabels: { termination: 'Tunnel interface' },
  panels: [[fieldGroup('Tunnel termination', ['tunnel', 'role', 'termination', 'outside_ip'])]],
  tables: [
    {
      model: 'vpn.tunneltermination',
      by: { tunnel_id: 'id', id__n: 'id' },
      label: 'Peer Terminations',
    },
  ],
  form: [fieldGroup('', ['tunnel', 'role', 'termination', 'outside_ip', 'tags'])],
  filters: [fieldGroup('Termination', ['tunnel_id', 'role'])],
  bulkEdit: [fieldGroup('', ['role'])],
  importColumns: interfaceColumns('termination', 'termination'),
  imports: words(`
    tunnel.name role outside_ip.address tags.slug device.name virtual_machine.name termination.name
  `),
})
