import { type ComputedField, computed } from '../../schema/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'

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

/** Lists of a config context: name, column of the join table, what the object is matched by. */
const CONDITIONS: readonly (readonly [list: string, column: string, keys: string])[] = [
  ['regions', 'region_id', 'regions'],
  ['site_groups', 'sitegroup_id', 'site_groups'],
  ['sites', 'site_id', 'sites'],
  ['locations', 'location_id', 'locations'],
  ['device_types', 'devicetype_id', 'device_types'],
  ['roles', 'devicerole_id', 'roles'],
  ['platforms', 'platform_id', 'platforms'],
  ['cluster_types', 'clustertype_id', 'cluster_types'],
  ['cluster_groups', 'clustergroup_id', 'cluster_groups'],
  ['clusters', 'cluster_id', 'clusters'],
  ['tenant_groups', 'tenantgroup_id', 'tenant_groups'],
  ['tenants', 'tenant_id', 'tenants'],
  ['tags', 'tag_id', 'tags'],
]

/** A context without entries in a list matches every object; otherwise one entry must match. */
const conditions: Sql = join(
  CONDITIONS.map(([list, column, keys]) => {
    const table = identifier(`extras_configcontext_${list}`)
    return sql`(
      not exists (select 1 from ${table} j where j.configcontext_id = c.id)
      or exists (
        select 1 from ${table} j
        where j.configcontext_id = c.id and j.${identifier(column)} = any(o.${identifier(keys)})
      )
    )`
  }),
  ' and ',
)

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
    async (ids, { database }) => {
      const rows = await database.query<{
        id: number
        own: string | null
        data: string | null
      }>(sql`
        select o.id, o.local_context_data as own, c.data
        from (${bearers(model, ids)}) o
        left join extras_configcontext c on c.is_active and ${conditions}
        order by o.id, c.weight, c.name
      `)
      const contexts = new Map<number, JsonObject>()
      const own = new Map<number, string | null>()
      for (const row of rows) {
        contexts.set(row.id, mergeContext(contexts.get(row.id) ?? {}, parse(row.data)))
        own.set(row.id, row.own)
      }
      return new Map(
        [...contexts].map(([id, context]) => [
          id,
          JSON.stringify(mergeContext(context, parse(own.get(id) ?? null))),
        ]),
      )
    },
    { excludable: true },
  )
