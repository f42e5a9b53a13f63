import { PRIMARY } from '../../schema/common.ts'
import { relatedCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** A group of tunnels. */
export const tunnelGroup = organizational({
  name: 'vpn.tunnelgroup',
  path: 'vpn/tunnel-groups',
  labels: ['tunnel group', 'tunnel groups'],

  counts: {
    tunnel_count: relatedCount('vpn.tunnel', 'group'),
  },
  features: [...PRIMARY, 'contacts'],
})

export const tunnelGroupModel = organizationalModel(tunnelGroup, {
  counts: ['tunnel_count'],
  moreColumns: words('id comments slug tags created last_updated owner.group owner'),
  bulkEdit: words('owner description comments'),
})
