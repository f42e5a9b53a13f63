import { LRUCache } from 'lru-cache'
import { type ComputedField, computed } from '../../schema/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { empty, identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

/** A model whose objects have a config context. */
export type ContextBearer = 'dcim.device' | 'virtualization.virtualmachine'

/** Merges objects recursively by name; other values replace the previous ones. */
export function mergeContext(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name]
    merged[name] =
      isJsonObject(before) && isJsonObject(value) && Object.keys(value).length > 0
        ? mergeContext(before, value)
        : value
  }
  return merged
}

/** Conditions of a config context and the columns of their join tables; an object must match all of them. */
const LISTS = [
  ['regions', 'region_id'],
  ['site_groups', 'sitegroup_id'],
  ['sites', 'site_id'],
  ['locations', 'location_id'],
  ['device_types', 'devicetype_id'],
  ['roles', 'devicerole_id'],
  ['platforms', 'platform_id'],
  ['cluster_types', 'clustertype_id'],
  ['cluster_groups', 'clustergroup_id'],
  ['clusters', 'cluster_id'],
  ['tenant_groups', 'tenantgroup_id'],
  ['tenants', 'tenant_id'],
  ['tags', 'tag_id'],
] as const
type ListName = (typeof LISTS)[number][0]
type Ids = Readonly<Partial<Record<ListName, readonly (number | null)[] | null>>>

interface Context {
  readonly id: number
  readonly data: JsonObject
  /** Lists that are not empty; one entry of each must match. */
  readonly lists: readonly (readonly [ListName, ReadonlySet<number | null>])[]
}

/** All active contexts ordered by weight and name, with the merged data of combinations used so far. */
interface Contexts {
  readonly all: readonly Context[]
  /** Lists in which any of them has entries. */
  readonly used: readonly ListName[]
  readonly merged: LRUCache<string, Merged>
}
interface Merged {
  readonly data: JsonObject
  readonly text: string
}

const KEPT_MERGES = 1_000

async function loadContexts(database: Queryable): Promise<Contexts> {
  const lists = LISTS.map(
    ([list, column]) => sql`array(
      select j.${identifier(column)} from ${table(`extras.configcontext.${list}`)} j
      where j.configcontext_id = c.id) as ${identifier(list)}`,
  )
  const rows = await database.query<Ids & { id: number; data: string }>(sql`
    select c.id, c.data, ${join(lists)} from ${table('extras.configcontext')} c where c.is_active
    order by c.weight, c.name, c.id`)
  const all = rows.map((row) => ({
    id: row.id,
    data: parse(row.data),
    lists: LISTS.flatMap(([list]) => {
      const ids = row[list] ?? []
      return ids.length === 0 ? [] : [[list, new Set(ids)] as const]
    }),
  }))
  const used = LISTS.map(([list]) => list).filter((list) =>
    all.some(({ lists }) => lists.some(([name]) => name === list)),
  )
  return { all, used, merged: new LRUCache({ max: KEPT_MERGES }) }
}

const matches = ({ lists }: Context, bearer: Ids): boolean =>
  lists.every(([list, wanted]) => bearer[list]?.some((id) => wanted.has(id)) === true)

/** Merges the matching contexts in order. Many objects share a combination, so each is merged once. */
function mergeMatching({ all, merged }: Contexts, bearer: Ids): Merged {
  const matching = all.flatMap((context, place) => (matches(context, bearer) ? [place] : []))
  const key = matching.join()
  const known = merged.get(key)
  if (known) return known
  const data = matching.reduce<JsonObject>(
    (below, place) => mergeContext(below, all[place]?.data ?? {}),
    {},
  )
  const made = { data, text: JSON.stringify(data) }
  merged.set(key, made)
  return made
}

/** Joins from an object `t` to related rows; each one follows those that it depends on. */
const AROUND = {
  site: sql` left join ${table('dcim.site', 'region_id', 'group_id')} site on site.id = t.site_id`,
  region: sql` left join ${table('dcim.region', '_ancestors')} region on region.id = site.region_id`,
  group: sql` left join ${table('dcim.sitegroup', '_ancestors')} site_group on site_group.id = site.group_id`,
  location: sql` left join ${table('dcim.location', '_ancestors')} location on location.id = t.location_id`,
  role: sql` left join ${table('dcim.devicerole', '_ancestors')} role on role.id = t.role_id`,
  platform: sql` left join ${table('dcim.platform', '_ancestors')} platform on platform.id = t.platform_id`,
  cluster: sql` left join ${table('virtualization.cluster', 'type_id', 'group_id')} cluster on cluster.id = t.cluster_id`,
  tenant: sql` left join ${table('tenancy.tenant', 'group_id')} tenant on tenant.id = t.tenant_id`,
} as const
type Around = keyof typeof AROUND

/** Columns of a device or virtual machine that the statement's text names. */
const OWN_COLUMNS = [
  ...['local_context_data', 'site_id', 'location_id', 'device_type_id', 'role_id'],
  ...['platform_id', 'cluster_id', 'tenant_id'],
]

interface Key {
  /** An array of ids, or null. */
  readonly ids: Sql
  readonly joins?: readonly Around[]
}

/**
 * Ids of an object for each list. Trees include the ancestors, except tenant groups. Virtual machines have neither
 * location nor device type.
 */
const KEYS: Readonly<Record<ListName, (model: ContextBearer) => Key>> = {
  regions: () => ({ ids: sql`region._ancestors`, joins: ['site', 'region'] }),
  site_groups: () => ({ ids: sql`site_group._ancestors`, joins: ['site', 'group'] }),
  sites: () => ({ ids: sql`array[t.site_id]` }),
  locations: (model) =>
    model === 'dcim.device' ? { ids: sql`location._ancestors`, joins: ['location'] } : NOTHING,
  device_types: (model) =>
    model === 'dcim.device' ? { ids: sql`array[t.device_type_id]` } : NOTHING,
  roles: () => ({ ids: sql`role._ancestors`, joins: ['role'] }),
  platforms: () => ({ ids: sql`platform._ancestors`, joins: ['platform'] }),
  cluster_types: () => ({ ids: sql`array[cluster.type_id]`, joins: ['cluster'] }),
  cluster_groups: () => ({ ids: sql`array[cluster.group_id]`, joins: ['cluster'] }),
  clusters: () => ({ ids: sql`array[t.cluster_id]` }),
  tenant_groups: () => ({ ids: sql`array[tenant.group_id]`, joins: ['tenant'] }),
  tenants: () => ({ ids: sql`array[t.tenant_id]` }),
  tags: (model) => ({
    ids: sql`array(
      select i.tag_id from ${table('extras.taggeditem', 'tag_id', 'object_type', 'object_id')} i where i.object_type = ${model} and i.object_id = t.id)`,
  }),
}
const NOTHING: Key = { ids: sql`'{}'::bigint[]` }

/** Local data of the objects, and their ids for the lists that any context uses. */
function bearers(model: ContextBearer, { used }: Contexts, ids: readonly number[]): Sql {
  const keys = used.map((list) => ({ list, ...KEYS[list](model) }))
  const columns = keys.map(({ list, ids }) => sql`, ${ids} as ${identifier(list)}`)
  const wanted = new Set(keys.flatMap(({ joins = [] }) => joins))
  const around = (Object.keys(AROUND) as Around[]).filter((name) => wanted.has(name))
  const joins = around.map((name) => AROUND[name])
  return sql`
    select t.id, t.local_context_data${joined(columns)} from ${table(model, ...OWN_COLUMNS)} t${joined(joins)}
    where t.id = any(${ids}::bigint[])`
}

const joined = (parts: readonly Sql[]): Sql => (parts.length === 0 ? empty : join(parts, ''))

const parse = (text: string | null): JsonObject => {
  const value: unknown = text === null ? {} : JSON.parse(text)
  return isJsonObject(value) ? value : {}
}

/**
 * Merged data of all active config contexts that match the object, by weight and name, with later ones taking
 * precedence, and the object's local data taking precedence over all.
 */
export const configContextOf = (model: ContextBearer): ComputedField =>
  computed(
    { type: 'object', nullable: true, readOnly: true },
    async (ids, { database, cached }) => {
      const contexts = await cached('config contexts', () => loadContexts(database))
      const rows = await database.query<Ids & { id: number; local_context_data: string | null }>(
        bearers(model, contexts, ids),
      )
      return new Map(
        rows.map((row) => {
          const { data, text } = mergeMatching(contexts, row)
          const own = row.local_context_data
          return [row.id, own === null ? text : JSON.stringify(mergeContext(data, parse(own)))]
        }),
      )
    },
    { excludable: true },
  )

/** Ids of the active config contexts that match the object, in the order in which their data is merged. */
export async function matchingContexts(
  database: Queryable,
  model: ContextBearer,
  id: number,
): Promise<readonly number[]> {
  const contexts = await loadContexts(database)
  const [bearer] = await database.query<Ids & { id: number }>(bearers(model, contexts, [id]))
  return contexts.all.flatMap((each) => (bearer && matches(each, bearer) ? [each.id] : []))
}
