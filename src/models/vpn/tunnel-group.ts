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
  bulkEdit: words('owner description comments'),
})
