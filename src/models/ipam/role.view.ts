import { words } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const roleView = organizationalView('ipam.role', {
  heading: 'Role',
  counts: { prefix_count: 'Prefixes', vlan_count: 'VLANs', asn_count: 'ASNs' },
  fields: ['weight'],
  columns: ['name', 'prefix_count', 'vlan_count', 'asn_count', 'description'],
  moreColumns: words('id slug weight comments tags created last_updated owner.group owner'),
  importRequires: ['weight'],
})
