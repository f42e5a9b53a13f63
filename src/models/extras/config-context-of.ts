import { type ComputedField, computed } from '../../schema/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'

type Bearer = 'dcim.device' | 'virtualization.virtualmachine'

/** Objects are merged name by name; anything else takes the place of what was there. */
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

/** Lists of a config context and the columns of their join tables; objects are matched by all of them. */
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
type Ids = Readonly<Record<ListName, readonly (number | null)[] | null>>

interface Context {
  readonly data: JsonObject
  /** Lists that are not empty; one entry of each must match. */
  readonly lists: readonly (readonly [ListName, ReadonlySet<number | null>])[]
}

/** All active contexts by weight and name, and what became of those that came together before. */
interface Contexts {
  readonly all: readonly Context[]
  readonly merged: Map<string, Merged>
}
interface Merged {
  readonly data: JsonObject
  readonly text: string
}

const KEPT_MERGES = 1_000

async function loadContexts(database: Queryable): Promise<Contexts> {
  const lists = LISTS.map(
    ([list, column]) => sql`array(
      select j.${identifier(column)} from ${identifier(`extras_configcontext_${list}`)} j
      where j.configcontext_id = c.id) as ${identifier(list)}`,
  )
  const rows = await database.query<Ids & { data: string }>(sql`
    select c.data, ${join(lists)} from extras_configcontext c where c.is_active
    order by c.weight, c.name, c.id`)
  const all = rows.map((row) => ({
    data: parse(row.data),
    lists: LISTS.flatMap(([list]) => {
      const ids = row[list] ?? []
      return ids.length === 0 ? [] : [[list, new Set(ids)] as const]
    }),
  }))
  return { all, merged: new Map() }
}

const matches = ({ lists }: Context, bearer: Ids): boolean =>
  lists.every(([list, wanted]) => bearer[list]?.some((id) => wanted.has(id)) === true)

/** Later contexts lie over earlier ones. Many objects share a combination, so it is merged once. */
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
  if (merged.size >= KEPT_MERGES) merged.clear()
  merged.set(key, made)
  return made
}

/**
 * What each object is matched by, as arrays of ids. Trees count with the ancestors, except tenant
 * groups. Virtual machines have neither location nor device type.
 */
function bearers(model: Bearer, ids: readonly number[]): Sql {
  const device = model === 'dcim.device'
  return sql`
    select t.id, t.local_context_data,
      r._ancestors as regions,
      g._ancestors as site_groups,
      array[t.site_id] as sites,
      ${device ? sql`l._ancestors` : sql`'{}'::bigint[]`} as locations,
      ${device ? sql`array[t.device_type_id]` : sql`'{}'::bigint[]`} as device_types,
      o._ancestors as roles,
      p._ancestors as platforms,
      array[k.type_id] as cluster_types,
      array[k.group_id] as cluster_groups,
      array[t.cluster_id] as clusters,
      array[n.group_id] as tenant_groups,
      array[t.tenant_id] as tenants,
      array(
        select i.tag_id from extras_taggeditem i
        where i.object_type = ${model} and i.object_id = t.id
      ) as tags
    from ${identifier(device ? 'dcim_device' : 'virtualization_virtualmachine')} t
    left join dcim_site s on s.id = t.site_id
    left join dcim_region r on r.id = s.region_id
    left join dcim_sitegroup g on g.id = s.group_id
    ${device ? sql`left join dcim_location l on l.id = t.location_id` : sql``}
    left join dcim_devicerole o on o.id = t.role_id
    left join dcim_platform p on p.id = t.platform_id
    left join virtualization_cluster k on k.id = t.cluster_id
    left join tenancy_tenant n on n.id = t.tenant_id
    where t.id = any(${ids}::bigint[])`
}

const parse = (text: string | null): JsonObject => {
  const value: unknown = text === null ? {} : JSON.parse(text)
  return isJsonObject(value) ? value : {}
}

/**
 * The data of all active config contexts that match the object, by weight and name, later ones over
 * earlier ones, and the object's own data over them all.
 */
export const configContextOf = (model: Bearer): ComputedField =>
  computed(
    { type: 'object', nullable: true, readOnly: true },
    async (ids, { database, remember }) => {
      const [contexts, rows] = await Promise.all([
        remember('config contexts', ['extras.configcontext'], () => loadContexts(database)),
        database.query<Ids & { id: number; local_context_data: string | null }>(
          bearers(model, ids),
        ),
      ])
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
