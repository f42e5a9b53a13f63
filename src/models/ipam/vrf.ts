import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { boolean, manyToMany, relatedCount, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import type { Read } from '../../schema/rule.ts'
import type { RuleSettings } from '../../schema/settings.ts'
import { registered, titled, words } from '../../schema/view.ts'

/** Fields of route targets: all of them. */
const ROUTE_TARGET_FIELDS = [
  'id',
  'url',
  'display_url',
  'display',
  'name',
  'tenant',
  'description',
  'owner',
  'comments',
  'tags',
  'custom_fields',
  'created',
  'last_updated',
] as const

/** A routing table; it can require unique prefixes and addresses. */
export const vrf = model({
  name: 'ipam.vrf',
  path: 'ipam/vrfs',
  labels: ['VRF', 'VRFs'],
  about: 'A routing table of its own, in which addresses may overlap with those of others.',

  fields: {
    name: text({ max: 100, collation: 'natural' }),
    rd: text({ max: 21, nullable: true, unique: true, blank: true, label: 'Route distinguisher' }),
    tenant,
    enforce_unique: boolean({ default: true, label: 'Enforce unique space' }),
    description,
    owner,
    comments,
    import_targets: manyToMany('ipam.routetarget', {
      related: 'importing_vrfs',
      projection: ROUTE_TARGET_FIELDS,
    }),
    export_targets: manyToMany('ipam.routetarget', {
      related: 'exporting_vrfs',
      projection: ROUTE_TARGET_FIELDS,
    }),
    ...housekeeping,
    ipaddress_count: relatedCount('ipam.ipaddress', 'vrf'),
    prefix_count: relatedCount('ipam.prefix', 'vrf'),
  },

  display: '{name}[ ({rd})]',
  brief: ['id', 'url', 'display', 'name', 'rd', 'description', 'prefix_count'],
  naturalKey: ['name', 'rd'],
  order: ['name', 'rd', 'id'],
  search: ['description', 'name', 'rd'],

  filters: {
    ...byIdAnd('name', 'import_target', related('import_targets', 'ipam.routetarget')),
    ...byIdAnd('name', 'export_target', related('export_targets', 'ipam.routetarget')),
  },
  features: PRIMARY,
})

export const vrfModel = registered(vrf, {
  context: ['tenant'],
  columns: words('name rd tenant description'),
  labels: {
    ...titled('import_targets export_targets'),
    rd: 'RD',
    enforce_unique: 'Unique',
  },
  formLabels: { rd: 'RD' },
  panels: words('rd tenant enforce_unique description'),
  cloned: words('tenant enforce_unique description'),
  form: {
    VRF: words('name rd enforce_unique description tags'),
    'Route Targets': words('import_targets export_targets'),
  },
  filters: { 'Route Targets': words('import_target_id export_target_id') },
  bulkEdit: words('tenant enforce_unique description'),
  search: { weights: { rd: 200 }, shown: words('rd tenant description') },
})

/**
 * Name of the routing table if it refuses duplicate networks and hosts, otherwise undefined: each VRF has its own
 * setting; outside any VRF the server's setting applies.
 */
export async function enforcedIn(id: number | null, read: Read, settings: RuleSettings): Promise<string | undefined> {
  if (id === null) return settings.enforceGlobalUnique ? 'global table' : undefined
  const { enforce_unique: isStrict, display } = await read.get(vrf, id)
  return isStrict ? `VRF ${display}` : undefined
}
