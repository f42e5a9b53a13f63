import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { earlierDuplicates } from '../../schema/earlier-duplicates.ts'
import { boolean, choice, derived, foreignKey, genericForeignKey, integer, network } from '../../schema/field.ts'
import { byIdAnd, numberFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { registered, tab, titled, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import { fillScopePlaces, SCOPES, scopeCache, scopeFilters, scopeTypeNeedsObject } from '../dcim/scope.ts'
import {
  familyFilter,
  maskLengthFilters,
  networkFilter,
  prefixPlaceFilters,
  presentInVrfFilters,
} from './address.filters.ts'
import { containsNetwork } from './address-search.ts'
import { ipAddressFamily } from './choices.ts'
import { enforcedIn } from './vrf.ts'

/**
 * Recomputes depth (how many different networks contain a prefix) and children (how many prefixes it contains) within a
 * VRF; prefixes without a VRF form a separate hierarchy. `affected`: ids, as a query.
 */
const recompute = (affected: Sql): Sql => sql`
  ${updateTable('ipam.prefix')} t set _depth = h.depth, _children = h.children
  from (
    select c.id,
      (select count(distinct p.prefix) from ${table('ipam.prefix')} p
        where p.prefix >> c.prefix and p.vrf_id is not distinct from c.vrf_id) as depth,
      (select count(*) from ${table('ipam.prefix')} p
        where p.prefix << c.prefix and p.vrf_id is not distinct from c.vrf_id) as children
    from ${table('ipam.prefix')} c where c.id in (${affected})
  ) h
  where t.id = h.id and (t._depth, t._children) is distinct from (h.depth, h.children)`

/** Recomputes the hierarchy of all prefixes. */
export const rebuildPrefixHierarchy = (database: Queryable): Promise<void> =>
  database.execute(recompute(sql`select id from ${table('ipam.prefix')}`)).then(() => undefined)

/**
 * Recomputes the hierarchy around prefixes that were created, moved or deleted, above and below both their old and new
 * places. NetBox 4.6.8 ipam/signals.py. Creates no change records.
 */
const keepHierarchy: EffectFunction<typeof prefix.fields> = async ({ rows, database }) => {
  const places = rows.flatMap(({ next, previous }) =>
    next && previous && next.prefix === previous.prefix && next.vrf === previous.vrf
      ? []
      : [next, previous].filter((row) => row !== undefined),
  )
  if (places.length === 0) return
  const networks = sql`unnest(${places.map((row) => row.prefix)}::cidr[],
    ${places.map((row) => row.vrf)}::bigint[]) as q(network, vrf)`
  await database.execute(
    recompute(sql`
      select o.id from ${networks} join ${table('ipam.prefix')} o
        on o.prefix >>= q.network and o.vrf_id is not distinct from q.vrf
      union
      select o.id from ${networks} join ${table('ipam.prefix')} o
        on o.prefix << q.network and o.vrf_id is not distinct from q.vrf`),
  )
}

const prefixStatus = choices([
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
  about: 'An IPv4 or IPv6 network. Prefixes contain smaller ones, ranges and addresses.',

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

type PrefixRule = Rule<typeof prefix.fields>

const refuseWholeInternet: PrefixRule = ({ next }) =>
  next.prefix.endsWith('/0') ? { prefix: 'A prefix cannot be the whole address space.' } : undefined

const duplicatesBefore = earlierDuplicates<typeof prefix.fields>((row) => `${row.vrf} ${row.prefix}`)

const refuseDuplicate: PrefixRule = async (change) => {
  const { next, batch, read, settings } = change
  const table = await enforcedIn(next.vrf, read, settings)
  if (!table) return
  const changing = new Set(batch.map(({ id }) => id))
  const stored = await read.all(prefix, { prefix: next.prefix, vrf: next.vrf })
  const duplicates = [...stored.filter(({ id }) => !changing.has(id)), ...duplicatesBefore(change)]
  const [duplicate] = duplicates
  if (!duplicate) return
  // A duplicate in the same request has no id yet.
  const isShown = duplicate.id <= 0 || (await read.shows(prefix, duplicate.id))
  return {
    prefix: isShown ? `Duplicate prefix found in ${table}: ${next.prefix}` : 'This value cannot be used.',
  }
}

export const prefixModel = registered(prefix, {
  behaviour: behaviour(prefix, {
    serializerRules: [scopeTypeNeedsObject],
    modelRules: [refuseWholeInternet, refuseDuplicate],
    beforeSave: [fillScopePlaces],
    afterWrite: [keepHierarchy],
    rebuild: rebuildPrefixHierarchy,
  }),
  context: words('vrf scope'),
  columns: words('prefix status children scope vlan role vrf tenant description'),
  moreColumns: { plus: words('scope_type vlan.group _depth') },
  labels: {
    ...titled('prefix scope_type'),
    'vlan.group': 'VLAN Group',
    is_pool: 'Pool',
    mark_utilized: 'Marked Utilized',
    _depth: 'Depth',
  },
  panels: words('family vrf tenant scope vlan status role description is_pool'),
  tabs: [
    tab(
      'prefixes',
      'ipam.prefix',
      { within: 'prefix', vrf_id: 'vrf' },
      { label: 'Child Prefixes', hiddenIfEmpty: false },
    ),
    tab(
      'ip-ranges',
      'ipam.iprange',
      { parent: 'prefix', vrf_id: 'vrf' },
      { label: 'Child Ranges', hiddenIfEmpty: false },
    ),
    tab(
      'ip-addresses',
      'ipam.ipaddress',
      { parent: 'prefix', vrf_id: 'vrf' },
      { label: 'IP Addresses', hiddenIfEmpty: false },
    ),
  ],
  cloned: words('scope vrf tenant vlan status role is_pool mark_utilized description'),
  shownElsewhere: ['prefix'],
  form: {
    Prefix: words('prefix status vrf role is_pool mark_utilized description tags'),
    Scope: ['scope'],
    'VLAN Assignment': ['vlan'],
  },
  bulkAdd: { field: 'prefix', pattern: 'network' },
  narrowedBy: { vlan: { available_at_site: 'scope' } },
  filters: {
    Addressing: words('within_include family status role_id mask_length is_pool mark_utilized'),
    'VLAN Assignment': words('vlan_group_id vlan_id'),
    VRF: words('vrf_id present_in_vrf_id'),
    Scope: words('region_id site_group_id site_id location_id'),
  },
  bulkEdit: {
    '': words('tenant status role description'),
    Addressing: words('vrf prefix_length is_pool mark_utilized'),
    Scope: ['scope'],
    'VLAN Assignment': ['vlan'],
  },
  networkLengths: { prefix_length: 'prefix' },
  importColumns: {
    vlan_group: { to: 'ipam.vlangroup', narrows: { vlan: 'group' } },
    vlan_site: { to: 'dcim.site', narrows: { vlan: 'site' } },
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
  },
  importRequires: ['status'],
  imports: { without: ['vlan'], plus: words('vlan.vid scope_type scope_id') },
  search: {
    weights: { prefix: 110 },
    shown: words('scope vrf tenant vlan status role description'),
  },
})
