import { parseJson } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { displayOf } from '../query/display.ts'
import { searchOf } from './conditions.ts'
import { DYNAMIC_GROUP } from './constraints.ts'

/** Models whose constraints decide what users may do. */
export const GUARDED = [SYSTEM.objectPermission, SYSTEM.changePolicy]

/** A dynamic group with the groups that its filters name. */
export interface GroupNode {
  /** 0 for a new group. */
  readonly id: number
  readonly slug: string
  readonly names: readonly GroupName[]
}

/** How filters and constraints name a group. */
interface GroupName {
  readonly by: 'id' | 'slug'
  readonly name: string
}

/** An object that names a dynamic group. */
export interface Use extends GroupName {
  readonly model: string
  readonly id: number
  readonly label: string
}

/** Whether the name is that of the group. */
export const isNameOf = ({ id, slug }: Pick<GroupNode, 'id' | 'slug'>, { by, name }: GroupName): boolean =>
  by === 'slug' ? name === slug : id !== 0 && name === String(id)

/** The names of groups in the filters of a group. */
export const namesIn = (parameters: unknown): readonly GroupName[] =>
  [...searchOf(parameters)].flatMap(([key, name]) => {
    const [base] = key.split('__')
    if (base !== DYNAMIC_GROUP && base !== `${DYNAMIC_GROUP}_id`) return []
    return [{ by: base === DYNAMIC_GROUP ? 'slug' : 'id', name } as const]
  })

/** Groups whose filters name the group, directly or through others. */
export function containing(
  node: GroupNode,
  nodes: readonly GroupNode[],
  seen: readonly GroupNode[],
): readonly GroupNode[] {
  return nodes
    .filter((outer) => !seen.includes(outer) && outer.names.some((name) => isNameOf(node, name)))
    .flatMap((outer) => [outer, ...containing(outer, nodes, [...seen, outer])])
}

/** All dynamic groups, with the groups that their filters name. */
export async function storedGroups(queryable: Queryable): Promise<readonly GroupNode[]> {
  const groups = await queryable.query<{ id: number; slug: string; parameters: string }>(sql`
    select g.id, g.slug, g.parameters from ${table(SYSTEM.dynamicGroup)} g`)
  return groups.map(({ id, slug, parameters }) => ({ id, slug, names: namesIn(parseJson(parameters)) }))
}

/** Everything that names a dynamic group. */
export async function usesOfGroups(registry: Registry, queryable: Queryable): Promise<readonly Use[]> {
  const inConstraints = (model: string): Sql => sql`
    select ${model} as model, u.id, u.name as label, 'slug' as by, c.value #>> '{}' as name
    from ${table(model)} u, jsonb_path_query(u.constraints::jsonb, 'lax $[*]') alternative,
      jsonb_each(case when jsonb_typeof(alternative) = 'object' then alternative else '{}' end) c
    where c.key ~ ${`(^|__)${DYNAMIC_GROUP}$`}`
  const inFilters = sql`
    select ${SYSTEM.dynamicGroup} as model, u.id, u.name as label,
      case when p.key ~ '_id(__n)?$' then 'id' else 'slug' end as by, item #>> '{}' as name
    from ${table(SYSTEM.dynamicGroup)} u, jsonb_each(u.parameters::jsonb) p, jsonb_path_query(p.value, 'lax $[*]') item
    where p.key ~ ${`^${DYNAMIC_GROUP}(_id)?(__n)?$`}`
  const assigned = registry.model(SYSTEM.dynamicGroup).referrers.flatMap((referrer) => {
    if (referrer.kind !== 'manyToMany') return []
    const { model, table: joined } = referrer
    const [user, group] = [identifier('j', joined.ownColumn), identifier('j', joined.otherColumn)]
    return [
      sql`select ${model.name} as model, u.id, ${displayOf(model, sql`u`)} as label, 'id' as by, ${group}::text as name
        from ${table(joined)} j join ${table(model)} u on u.id = ${user}`,
    ]
  })
  const guards = GUARDED.filter((name) => registry.models.has(name))
  const parts = [...guards.map(inConstraints), inFilters, ...assigned]
  return await queryable.query<Use & Record<string, unknown>>(join(parts, ' union all '))
}
