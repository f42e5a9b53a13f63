import type { Model } from '../schema/registry.ts'
import { identifier, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table, updateTable } from '../sql/table.ts'
import { sortKey } from '../write/save/hierarchy.ts'

/**
 * Recomputes depth, ancestors and names of every node. Returns the id of a node that cannot be reached from any root,
 * because its parents form a circle; undefined where there is none.
 */
export async function rebuildTree(queryable: Queryable, model: Model): Promise<number | undefined> {
  const { tree } = model.definition
  if (!tree) return undefined
  const nodes = table(model)
  const parent = identifier(model.columns.get(tree.parent)?.name ?? `${tree.parent}_id`)
  const key = sortKey(tree)
  await queryable.execute(sql`
    with recursive place (id, level, ancestors, sort) as (
      select t.id, 0, array[t.id], ${key} from ${nodes} t where t.${parent} is null
      union all
      select t.id, p.level + 1, p.ancestors || t.id, p.sort || ${key}
      from place p join ${nodes} t on t.${parent} = p.id
    )
    ${updateTable(model)} t
    set _level = place.level, _ancestors = place.ancestors, _sort = place.sort
    from place
    where t.id = place.id
      and (t._level, t._ancestors, t._sort) is distinct from (place.level, place.ancestors, place.sort)`)
  const [row] = await queryable.query<{ id: number }>(
    sql`select id from ${nodes} t where not _ancestors @> array[t.id] order by id limit 1`,
  )
  return row?.id
}
