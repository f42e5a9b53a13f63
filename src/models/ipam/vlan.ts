import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, integer, relatedCount, reverse, text } from '../../schema/field.ts'
import { byIdAnd, numberFilter, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { equalsInteger } from '../../schema/search-term.ts'
import { vlanFilters } from './vlan.filters.ts'

export const vlanStatus = choices([
  ['active', 'Active', 'blue'],
  ['reserved', 'Reserved', 'cyan'],
  ['deprecated', 'Deprecated', 'red'],
])

export const vlanQinqRole = choices([
  ['svlan', 'Service', 'blue'],
  ['cvlan', 'Customer', 'orange'],
])

/** A VLAN with its number, in a site or a group. */
export const vlan = model({
  name: 'ipam.vlan',
  path: 'ipam/vlans',
  labels: ['VLAN', 'VLANs'],
  displayName: true,

  fields: {
    site: foreignKey('dcim.site', { related: 'vlans', nullable: true }),
    group: foreignKey('ipam.vlangroup', { related: 'vlans', nullable: true, resetOnPut: true }),
    vid: integer({ size: 'small', range: [1, 4094], label: 'VLAN ID' }),
    name: text({ max: 64 }),
    tenant,
    status: choice(vlanStatus, { default: 'active' }),
    role: foreignKey('ipam.role', { onDelete: 'setNull', related: 'vlans' }),
    description,
    qinq_role: choice(vlanQinqRole, { nullable: true }),
    qinq_svlan: foreignKey('ipam.vlan', {
      related: 'qinq_cvlans',
      nullable: true,
      resetOnPut: true,
    }),
    owner,
    comments,
    l2vpn_termination: reverse('vpn.l2vpntermination', 'assigned_object', { single: true }),
    ...housekeeping,
    prefix_count: relatedCount('ipam.prefix', 'vlan'),
  },

  display: '{name} ({vid})',
  graphql: { enums: { qinq_role: ['VLANQinQRoleEnum', 'ROLE'] } },
  brief: ['id', 'url', 'display', 'vid', 'name', 'description'],
  naturalKey: ['site', 'group', 'vid'],
  order: ['site', 'group', 'vid', 'id'],
  search: ['name', 'description', equalsInteger('vid')],
  unique: [
    { fields: ['group', 'vid'] },
    { fields: ['group', 'name'] },
    { fields: ['qinq_svlan', 'vid'] },
    { fields: ['qinq_svlan', 'name'] },
  ],

  filters: {
    ...vlanFilters,
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
    qinq_svlan_vid: numberFilter('qinq_svlan.vid'),
    ...byIdAnd('identifier', 'l2vpn', related('l2vpn_terminations.l2vpn', 'vpn.l2vpn')),
  },
  features: PRIMARY,
})
