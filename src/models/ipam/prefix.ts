import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { earlierDuplicates } from '../../schema/earlier-duplicates.ts'
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
import { behaviour, type Rule } from '../../schema/rule.ts'
import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import {
  fillScopePlaces,
  SCOPES,
  scopeCache,
  scopeFilters,
  scopeTypeNeedsObject,
} from '../dcim/scope.ts'
import {
  familyFilter,
  maskLengthFilters,
  networkFilter,
  prefixPlaceFilters,
  presentInVrfFilters,
} from './address.filters.ts'
import { containsNetwork } from './address-search.ts'
import { ipAddressFamily } from './choices.ts'
import { enforcedIn } from './enforced-uniqueness.ts'
import { keepHierarchy, rebuildPrefixHierarchy } from './prefix-hierarchy.ts'

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

type PrefixRule = Rule<typeof prefix.fields>

const refuseWholeInternet: PrefixRule = ({ next }) =>
  next.prefix.endsWith('/0') ? { prefix: 'A prefix cannot be the whole address space.' } : undefined

const duplicatesBefore = earlierDuplicates<typeof prefix.fields>(
  (row) => `${row.vrf} ${row.prefix}`,
)

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
    prefix: isShown
      ? `Duplicate prefix found in ${table}: ${next.prefix}`
      : 'This value cannot be used.',
  }
}

export const prefixBehaviour = behaviour(prefix, {
  serializerRules: [scopeTypeNeedsObject],
  modelRules: [refuseWholeInternet, refuseDuplicate],
  beforeSave: [fillScopePlaces],
  afterWrite: [keepHierarchy],
  rebuild: rebuildPrefixHierarchy,
})

export const prefixView = modelView('ipam.prefix', {
  context: ['vrf', 'scope'],
  columns: words('prefix status children vrf tenant scope vlan role description'),
  moreColumns: words(`
    id tenant.group scope_type vlan.group is_pool mark_utilized comments tags created last_updated
    owner.group owner _depth
  `),
  labels: {
    prefix: 'Prefix',
    scope_type: 'Scope Type',
    'vlan.group': 'VLAN Group',
    is_pool: 'Pool',
    mark_utilized: 'Marked Utilized',
    _depth: 'Depth',
  },
  part: 'addressSpace',
  panels: [[fieldGroup('Prefix', 'family vrf tenant scope vlan status role description is_pool')]],
  tabs: [
    {
      path: 'prefixes',
      label: 'Child Prefixes',
      model: 'ipam.prefix',
      by: { within: 'prefix', vrf_id: 'vrf' },
    },
    {
      path: 'ip-ranges',
      label: 'Child Ranges',
      model: 'ipam.iprange',
      by: { parent: 'prefix', vrf_id: 'vrf' },
    },
    {
      path: 'ip-addresses',
      label: 'IP Addresses',
      model: 'ipam.ipaddress',
      by: { parent: 'prefix', vrf_id: 'vrf' },
    },
  ],
  cloned: words('scope vrf tenant vlan status role is_pool mark_utilized description'),
  form: [
    fieldGroup('Prefix', 'prefix status vrf role is_pool mark_utilized description tags'),
    fieldGroup('Scope', ['scope']),
    fieldGroup('VLAN Assignment', ['vlan']),
  ],
  bulkAdd: { field: 'prefix', pattern: 'network' },
  narrowedBy: { vlan: { available_at_site: 'scope' } },
  filters: [
    fieldGroup(
      'Addressing',
      'within_include family status role_id mask_length is_pool mark_utilized',
    ),
    fieldGroup('VLAN Assignment', ['vlan_group_id', 'vlan_id']),
    fieldGroup('VRF', ['vrf_id', 'present_in_vrf_id']),
    fieldGroup('Scope', ['region_id', 'site_group_id', 'site_id', 'location_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['tenant', 'status', 'role', 'description']),
    fieldGroup('Addressing', ['vrf', 'prefix_length', 'is_pool', 'mark_utilized']),
    fieldGroup('Scope', ['scope']),
    fieldGroup('VLAN Assignment', ['vlan']),
  ],
  networkLengths: { prefix_length: 'prefix' },
  importColumns: {
    vlan_group: { to: 'ipam.vlangroup', narrows: { vlan: 'group' } },
    vlan_site: { to: 'dcim.site', narrows: { vlan: 'site' } },
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
  },
  importRequires: ['status'],
  imports: words(`
    prefix vrf.name tenant.name vlan_group.name vlan_site.name vlan.vid status role.name scope_type
    scope_name scope_id is_pool mark_utilized description owner.name comments tags.slug
  `),
  search: {
    weights: { prefix: 110, description: 500, comments: 5000 },
    shown: ['scope', 'vrf', 'tenant', 'vlan', 'status', 'role', 'description'],
  },
})
