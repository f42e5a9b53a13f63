import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, integer, manyToMany, slug, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { equalsInteger } from '../../schema/search-term.ts'
import { sql } from '../../sql/fragment.ts'
import { l2VpnType } from './choices/l2-vpn-type.ts'

export const l2VpnStatus = choices([
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['decommissioning', 'Decommissioning', 'red'],
])

/** A layer-2 network carried over other networks. */
export const l2vpn = model({
  name: 'vpn.l2vpn',
  path: 'vpn/l2vpns',
  labels: ['L2VPN', 'L2VPNs'],

  fields: {
    identifier: integer({ size: 'big', nullable: true }),
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
    type: choice(l2VpnType, { lateRequired: true }),
    status: choice(l2VpnStatus, { default: 'active' }),
    import_targets: manyToMany('ipam.routetarget', { related: 'importing_l2vpns' }),
    export_targets: manyToMany('ipam.routetarget', { related: 'exporting_l2vpns' }),
    description,
    owner,
    comments,
    tenant,
    ...housekeeping,
  },

  display: (column) =>
    sql`${column('name')} || coalesce(' (' || nullif(${column('identifier')}, 0) || ')', '')`,
  brief: ['id', 'url', 'display', 'identifier', 'name', 'slug', 'type', 'description'],
  order: ['name', 'identifier'],
  search: ['name', 'description', equalsInteger('identifier')],

  filters: {
    ...byIdAnd('name', 'import_target', related('import_targets', 'ipam.routetarget')),
    ...byIdAnd('name', 'export_target', related('export_targets', 'ipam.routetarget')),
  },
  features: [...PRIMARY, 'contacts'],
})
