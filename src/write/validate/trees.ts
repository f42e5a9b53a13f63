import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
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

/** Why a node is refused that would be below itself. */
export const OWN_ANCESTOR = 'An object cannot be its own parent, or the parent of one of its ancestors.'

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

const asId = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const isId = (value: number | undefined): value is number => value !== undefined
