import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import {
  boolean,
  choice,
  derived,
  foreignKey,
  genericForeignKey,
  integer,
  network,
} from '../../schema/field.ts'
import { byIdAnd, numberFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { SCOPES, scopeCache, scopeFilters } from '../dcim/scope.ts'
import {
  familyFilter,
  maskLengthFilters,
  networkFilter,
  prefixPlaceFilters,
  presentInVrfFilters,
} from './address.filters.ts'
import { containsNetwork } from './address-search.ts'
import { ipAddressFamily } from './choices/ip-address-family.ts'

export const prefixStatus = choices([
  ['container', 'Container', 'gray'],
  ['active', 'Active', 'blue'],
  ['reserved', 'Reserved', 'cyan'],
  ['deprecated', 'Deprecated', 'red'],
])

/** An IPv4 or IPv6 network. Nesting is not stored as references: it follows from containment. */
export const prefix = model({
  name: 'ipam.prefix',
  path: 'ipam/prefixes',
  labels: ['prefix', 'prefixes'],

  fields: {
    family: derived('integer', (column) => sql`family(${column('prefix')})`, {
      choices: ipAddressFamily,
    }),
    prefix: network({}),
    vrf: foreignKey('ipam.vrf', { related: 'prefixes', nullable: true }),
    scope: genericForeignKey(SCOPES, { nullable: true, resetOnPut: true, related: 'prefixes' }),
    tenant,
    vlan: foreignKey('ipam.vlan', { related: 'prefixes', nullable: true }),
    status: choice(prefixStatus, { default: 'active' }),
    role: foreignKey('ipam.role', { onDelete: 'setNull', related: 'prefixes' }),
    is_pool: boolean({ default: false, label: 'Is a pool' }),
    mark_utilized: boolean({ default: false }),
    description,
    owner,
    comments,
    ...housekeeping,
    children: derived('integer', (column) => column('_children')),
    _depth: integer({
      size: 'small',
      range: [0, 32767],
      default: 0,
      readOnly: true,
      filter: false,
    }),
    ...scopeCache,
    _children: integer({
      size: 'big',
      range: [0, Number.MAX_SAFE_INTEGER],
      default: 0,
      hidden: true,
    }),
  },

  display: (column) => sql`${column('prefix')}::text`,
  brief: ['id', 'url', 'display', 'family', 'prefix', 'description', '_depth'],
  lock: 'ipam.prefix',
  naturalKey: ['prefix', 'vrf'],
  order: [{ field: 'vrf', nulls: 'first' }, 'prefix', 'id'],
  search: ['description', containsNetwork('prefix')],

  filters: {
    ...scopeFilters,
    ...prefixPlaceFilters,
    ...presentInVrfFilters,
    ...maskLengthFilters('prefix'),
    family: familyFilter('prefix'),
    prefix: networkFilter(true),
    depth: numberFilter('_depth'),
    children: numberFilter('_children'),
    vrf: related('vrf', 'ipam.vrf', 'rd'),
    ...byIdAnd('slug', 'vlan_group', related('vlan.group', 'ipam.vlangroup')),
    vlan_vid: numberFilter('vlan.vid', 'integer', { single: true }),
  },
  features: [...PRIMARY, 'contacts'],
})
