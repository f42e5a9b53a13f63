import { PRIMARY } from '../../schema/common.ts'
import { relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'

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
