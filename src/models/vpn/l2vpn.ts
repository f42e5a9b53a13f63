import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, integer, manyToMany, slug, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { equalsInteger } from '../../schema/search-term.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'

/** Types of an L2VPN. */
const l2VpnType = choices([
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

const l2VpnStatus = choices([
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['decommissioning', 'Decommissioning', 'red'],
])

/** A layer-2 network carried over other networks. */
export const l2vpn = model({
  name: 'vpn.l2vpn',
  path: 'vpn/l2vpns',
  labels: ['L2VPN', 'L2VPNs'],
  about: 'A layer 2 network over a routed one, such as VXLAN or VPLS.',
  earlier: { fields: { type: choice(l2VpnType, { lateRequired: true }) } },

  fields: {
    identifier: integer({ size: 'big', nullable: true }),
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
    type: choice(l2VpnType, {}),
    status: choice(l2VpnStatus, { default: 'active' }),
    import_targets: manyToMany('ipam.routetarget', { related: 'importing_l2vpns' }),
    export_targets: manyToMany('ipam.routetarget', { related: 'exporting_l2vpns' }),
    description,
    owner,
    comments,
    tenant,
    ...housekeeping,
  },

  display: (column) => sql`${column('name')} || coalesce(' (' || nullif(${column('identifier')}, 0) || ')', '')`,
  brief: ['id', 'url', 'display', 'identifier', 'name', 'slug', 'type', 'description'],
  order: ['name', 'identifier'],
  search: ['name', 'description', equalsInteger('identifier')],

  filters: {
    ...byIdAnd('name', 'import_target', related('import_targets', 'ipam.routetarget')),
    ...byIdAnd('name', 'export_target', related('export_targets', 'ipam.routetarget')),
  },
  features: [...PRIMARY, 'contacts'],
})

export const l2vpnModel = registered(l2vpn, {
  columns: words('name status identifier type description'),
  labels: titled('import_targets export_targets'),
  panels: words('name identifier type status description tenant'),
  tables: [{ model: 'vpn.l2vpntermination', by: { l2vpn_id: 'id' }, label: 'Terminations', isShownEmpty: true }],
  cloned: words('type status'),
  form: {
    L2VPN: words('name slug type status identifier description tags'),
    'Route Targets': words('import_targets export_targets'),
  },
  filters: { Attributes: words('type status import_target_id export_target_id') },
  bulkEdit: words('status type tenant description'),
  importRequires: ['status'],
  imports: { without: words('import_targets export_targets') },
  search: {
    weights: { identifier: 200 },
    shown: words('type status identifier tenant description'),
  },
})
