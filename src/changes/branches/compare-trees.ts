import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { loadRows, type StoredRow } from '../../write/rows.ts'
import { checkTrees } from '../../write/validate/trees.ts'
import { addValues, removeValues } from '../difference.ts'
import { draftOf } from '../drafts.ts'
import { stateOf } from './branch-conflicts.ts'
import type { PlannedMerge } from './planned-merge.ts'

/** Nodes of a tree that both sides have moved below each other. */
export async function compareTrees(merge: PlannedMerge): Promise<void> {
  const { service, transaction } = merge.context
  for (const [model, objects] of merge.difference.changed) {
    const { tree } = model.definition
    if (!tree) continue
    // Each decision breaks one circle. A row in a circle would never find its place in the tree.
    for (let isCircular = true; isCircular; ) {
      const moved = [...objects].flatMap(([id, values]) => (tree.parent in values ? id : []))
      isCircular = await breaksCircle(merge, model, tree.parent, await loadRows(service, transaction, model, moved))
    }
  }
}

/** Decides about the first circle of nodes; false if there is none. */
async function breaksCircle(
  merge: PlannedMerge,
  model: Model,
  key: string,
  stored: readonly StoredRow[],
): Promise<boolean> {
  const objects = merge.difference.changed.get(model)
  const drafts = stored.map((previous) =>
    draftOf(model, { ...previous, [key]: objects?.get(previous.id)?.[key] }, previous),
  )
  await checkTrees(merge.context, drafts)
  const circular = drafts.find(({ errors }) => errors.size > 0)
  if (!circular) return false
  const { next, previous } = circular
  const [main, branch] = [previous?.[key] as Json, next[key] as Json] // ids or null
  const conflict = { type: model.name, id: next.id, field: key, main, branch, state: stateOf(main, branch) }
  if (merge.judge({ ...conflict, reason: 'circular' }) === 'mine' && typeof branch === 'number')
    addValues(merge.difference, model, branch, { [key]: main })
  else removeValues(merge.difference, model, next.id, new Set([key]))
  return true
}
