import { choices } from '../../../schema/choices.ts'

/** Types of an L2VPN. */
export const l2VpnType = choices([
  ['vpws', 'VPWS'],
  ['vpls', 'VPLS'],
  ['vxlan', 'VXLAN'],
  ['vxlan-evpn', 'VXLAN-EVPN'],
  ['mpls-evpn', 'MPLS EVPN'],
  ['pbb-evpn', 'PBB EVPN'],
  ['evpn-vpws', 'EVPN VPWS'],
  ['epl', 'EPL'],
  ['evpl', 'EVPL'],
  ['ep-lan', 'Ethernet Private LAN'],
  ['evp-lan', 'Ethernet Virtual Private LAN'],
  ['ep-tree', 'Ethernet Private Tree'],
  ['evp-tree', 'Ethernet Virtual Private Tree'],
  ['spb', 'SPB'],
])

/** Types with exactly two ends. */
export const POINT_TO_POINT_TYPES: readonly string[] = ['vpws', 'epl', 'ep-lan', 'ep-tree']
