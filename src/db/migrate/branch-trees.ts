import { boundedName } from '../../schema/bounded-name.ts'
import type { Registry } from '../../schema/registry.ts'
import { sortKey } from '../../schema/tree.ts'
import { BRANCH, type BranchedTable, DELETED } from '../branches/branch-tables.ts'
import { quoted } from './quote.ts'

/** Name of the function that computes the paths of a tree's nodes in the branch. */
export const pathsName = (table: string) => `branch.${quoted(boundedName(table, 'paths'))}`

/**
 * The columns of a tree with the paths of its nodes in the branch, by name, for the view over the rows `v`. Main stores
 * paths of its own for nodes below one that the branch has moved or renamed, and the branch for nodes below one that
 * main has.
 */
export function pathColumns(registry: Registry, { table, model }: BranchedTable): ReadonlyMap<string, string> {
  if (!registry.model(model).definition.tree || registry.model(model).table !== table) return new Map()
  const column = (name: string, index: number, type: string) =>
    [
      name,
      `coalesce(((select ${pathsName(table)}()) -> v.id::text ->> ${index})::${type}, v.${name}) as ${name}`,
    ] as const
  return new Map([column('_level', 0, 'integer'), column('_ancestors', 1, 'bigint[]'), column('_sort', 2, 'text[]')])
}

/**
 * The statement that defines the function of paths: those of all nodes that differ between main and the branch, and of
 * the nodes below them, by id; null if there are none.
 */
export function pathsFunction(
  registry: Registry,
  { table, overlay, model }: BranchedTable,
  current: string,
): readonly string[] {
  const { definition, columns, table: treeTable } = registry.model(model)
  const { tree } = definition
  if (!tree || treeTable !== table) return []
  const parent = quoted(columns.get(tree.parent)?.name ?? '')
  const key = sortKey(tree).text
  const isOwn = `t.${BRANCH} = ${current} and not t.${DELETED}`
  return [
    `create function ${pathsName(table)}() returns jsonb language plpgsql stable as $$ begin
      if not exists (select from public.${quoted(overlay)} where ${BRANCH} = ${current}) then return null; end if;
      return (
        with recursive node as not materialized (
          select t.id, t.${parent} as parent, ${key} as sort from public.${quoted(table)} t
          where t.id not in (select o.id from public.${quoted(overlay)} o where o.${BRANCH} = ${current})
          union all select t.id, t.${parent}, ${key} from public.${quoted(overlay)} t where ${isOwn}
        ), up (start, parent, ancestors, sort) as (
          select n.id, n.parent, array[n.id], n.sort from node n where n.id in (
            select t.id from public.${quoted(overlay)} t left join public.${quoted(table)} m on m.id = t.id
            where ${isOwn} and (m.id is null or m._ancestors <> t._ancestors or m._sort <> t._sort))
          union all
          select u.start, n.parent, n.id || u.ancestors, n.sort || u.sort from up u join node n on n.id = u.parent
          where n.id <> all(u.ancestors)
        ), down (id, ancestors, sort) as (
          (select distinct on (u.start) u.start, u.ancestors, u.sort from up u
            order by u.start, cardinality(u.ancestors) desc)
          union all
          select n.id, d.ancestors || n.id, d.sort || n.sort from down d join node n on n.parent = d.id
          where n.id <> all(d.ancestors)
        )
        select jsonb_object_agg(d.id, jsonb_build_array(cardinality(d.ancestors) - 1, d.ancestors::text, d.sort::text))
        from down d);
    end $$`,
  ]
}
