import { invalid } from '../../errors.ts'
import type { Model } from '../../schema/registry.ts'
import { sortKey } from '../../schema/tree.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'

/** Ids from the root to a node, including the node. */
type Paths = ReadonlyMap<number, readonly number[]>

/** Refuses a parent that is the node itself or a descendant of it, after all moves of the batch. */
export async function checkTrees(context: WriteContext, drafts: readonly Draft[]): Promise<void> {
  const model = drafts[0]?.model
  const tree = model?.definition.tree
  if (!model || !tree) return
  const moved = drafts.filter(
    ({ previous, next }) => previous && next[tree.parent] !== previous[tree.parent] && next[tree.parent] !== null,
  )
  if (moved.length === 0) return
  const parents = new Map(drafts.map(({ next }) => [next.id, asId(next[tree.parent])]))
  const paths = await loadPaths(context, model, [...new Set(parents.values())].filter(isId))
  for (const draft of moved) {
    if (leadsBack(draft.next.id, parents, paths)) {
      addRefusal(draft, { [tree.parent]: OWN_ANCESTOR })
    }
  }
}

const OWN_ANCESTOR = 'An object cannot be its own parent, or the parent of one of its ancestors.'

/** Whether the path from a node to the root, by new parents, contains a cycle. */
function leadsBack(start: number, parents: ReadonlyMap<number, number | undefined>, paths: Paths): boolean {
  const visited = new Set<number>()
  let here = parents.get(start)
  while (here !== undefined && !visited.has(here)) {
    if (here === start) return true
    visited.add(here)
    here = parents.has(here) ? parents.get(here) : storedParent(here, paths)
  }
  return false
}

function storedParent(id: number, paths: Paths): number | undefined {
  for (const path of paths.values()) {
    const at = path.indexOf(id)
    if (at !== -1) return path[at - 1]
  }
  return undefined
}

async function loadPaths({ transaction }: WriteContext, model: Model, ids: readonly number[]): Promise<Paths> {
  const rows = await transaction.query<{ id: number; path: number[] }>(
    sql`select id, _ancestors as path from ${table(model)} where id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map(({ id, path }) => [id, path]))
}

/**
 * Updates depth, ancestors and names of the nodes and of all their descendants: one statement, even when one of the
 * nodes is below another. Throws `invalid` if a node is below itself, which `checkTrees` cannot see in what another
 * transaction has just moved: the statement would never end.
 */
export async function placeNodes({ transaction }: WriteContext, model: Model, ids: readonly number[]): Promise<void> {
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

const asId = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const isId = (value: number | undefined): value is number => value !== undefined
