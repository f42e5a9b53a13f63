import { invalid } from '../../base/errors.ts'
import type { Model } from '../../schema/registry.ts'
import { sortKey } from '../../schema/tree.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { OWN_ANCESTOR } from '../validate/trees.ts'
import type { Saved } from './insert-update.ts'

/** Places the new and the moved nodes of a tree, once all nodes are stored. */
export async function placeMoved(context: WriteContext, model: Model, items: readonly Saved[]): Promise<void> {
  const { tree } = model.definition
  if (!tree) return
  const moved = items.filter(({ previous, next }) =>
    [tree.parent, tree.orderBy].some((key) => previous?.[key] !== next[key]),
  )
  await placeNodes(
    context,
    model,
    moved.map(({ next }) => next.id),
  )
}

/**
 * Updates depth, ancestors and names of the nodes and of all their descendants: one statement, even when one of the
 * nodes is below another. Throws `invalid` if a node is below itself, which `checkTrees` cannot see in what another
 * transaction has just moved: the statement would never end.
 */
async function placeNodes({ transaction }: WriteContext, model: Model, ids: readonly number[]): Promise<void> {
  const { tree } = model.definition
  if (!tree || ids.length === 0) return
  const nodes = table(model)
  const parent = identifier(model.columns.get(tree.parent)?.name ?? `${tree.parent}_id`)
  const key = sortKey(tree)
  // A node below another of the nodes is reached twice; the longer path, from the higher node, includes all changes
  // above.
  const placed = await transaction.execute(sql`
    with recursive below (id, level, ancestors, sort, walked, is_below_itself) as (
      select t.id, coalesce(p._level + 1, 0), coalesce(p._ancestors, '{}') || t.id,
        coalesce(p._sort, '{}') || ${key}, array[t.id], false
      from ${nodes} t left join ${nodes} p on p.id = t.${parent}
      where t.id = any(${ids}::bigint[])
      union all
      select t.id, b.level + 1, b.ancestors || t.id, b.sort || ${key}, b.walked || t.id, t.id = any(b.walked)
      from below b join ${nodes} t on t.${parent} = b.id where not b.is_below_itself
    ), place as (
      select distinct on (id) id, level, ancestors, sort from below order by id, cardinality(walked) desc
    )
    ${updateTable(model)} t set _level = place.level, _ancestors = place.ancestors, _sort = place.sort
    from place where t.id = place.id and not exists (select from below where is_below_itself)`)
  if (placed === 0) throw invalid({ [tree.parent]: [OWN_ANCESTOR] })
}
