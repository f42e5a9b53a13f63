import { fieldGroup, words } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const tunnelGroupView = organizationalView('vpn.tunnelgroup', {
  heading: 'Tunnel Group',
  counts: { tunnel_count: 'Tunnels' },
  moreColumns: words('id comments slug tags created last_updated owner.group owner'),
  bulkEdit: [fieldGroup('', ['owner', 'description', 'comments'])],
})
