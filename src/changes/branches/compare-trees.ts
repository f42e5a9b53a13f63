import type { Json } from '../../schema/json.ts'
import { loadRows } from '../../write/rows.ts'
import { checkTrees } from '../../write/save/hierarchy.ts'
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
    const moved = [...objects].filter(([, values]) => tree.parent in values)
    const stored = await loadRows(
      service,
      transaction,
      model,
      moved.map(([id]) => id),
    )
    const drafts = stored.map((previous) =>
      draftOf(model, { ...previous, [tree.parent]: objects.get(previous.id)?.[tree.parent] }, previous),
    )
    await checkTrees(merge.context, drafts)
    for (const { next, previous, errors } of drafts) {
      if (errors.size === 0) continue
      const [main, branch] = [previous?.[tree.parent] as Json, next[tree.parent] as Json] // ids or null
      const state = stateOf(main, branch)
      const conflict = {
        reason: 'circular',
        type: model.name,
        id: next.id,
        field: tree.parent,
        main,
        branch,
        state,
      } as const
      if (merge.judge(conflict) === 'mine' && typeof branch === 'number')
        addValues(merge.difference, model, branch, { [tree.parent]: main })
      else removeValues(merge.difference, model, next.id, new Set([tree.parent]))
      break
    }
  }
}
