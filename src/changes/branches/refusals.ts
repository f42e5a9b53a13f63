import { objectKey } from '../../write/related-object.ts'
import { DeletionRefused } from '../../write/remove/cascade.ts'
import { loadRows } from '../../write/rows.ts'
import { UndoConflicts } from '../difference/conflict.ts'
import { referenceOf } from '../difference/missing-objects.ts'
import { conflictKey, decisionFor, type JudgedConflict, stateOf } from './branch-conflicts.ts'
import type { BranchDifference } from './branch-difference.ts'
import { keyOf } from './branch-states.ts'
import { type OverlayRow, rowOf } from './overlay-rows.ts'
import type { PlannedMerge } from './planned-merge.ts'
import { referencesIn } from './references.ts'

/**
 * The conflicts in which the rules that have refused the difference leave an object; undefined for other errors. A rule
 * cannot be overridden, so that only main's version can be chosen.
 */
export function refusedConflicts(
  { rows, conflicts }: BranchDifference,
  error: unknown,
): readonly JudgedConflict[] | undefined {
  const judged = new Map(conflicts.map((conflict) => [conflictKey(conflict), conflict]))
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return refusalsIn(error)?.map(({ object, messages, other }) => ({
    ...{ ...object, reason: 'refused', messages, other, keep: undefined },
    // A decision for main revises an earlier one about the same object.
    state: judged.get(conflictKey(object))?.state ?? stateOfRow(byKey.get(objectKey(object.type, object.id))),
  }))
}

function refusalsIn(error: unknown) {
  if (error instanceof UndoConflicts) return error.conflicts
  if (error instanceof DeletionRefused) return [{ object: error.object, messages: error.message, other: undefined }]
  return undefined
}

const stateOfRow = (row: OverlayRow | undefined): string => stateOf(row?.main, row?.branch)

/** Leaves out what the branch makes of objects that rules have refused, if this has been decided. */
export async function leaveOutRefused(merge: PlannedMerge): Promise<void> {
  const judged = new Set(merge.conflicts.map(conflictKey))
  for (const key of Object.keys(merge.decisions)) {
    if (judged.has(key) || !key.endsWith(' ')) continue
    const object = referenceOf(key.trim())
    const row = merge.states.byKey.get(objectKey(object.type, object.id))
    const conflict = { ...object, reason: 'refused', state: stateOfRow(row) } as const
    if (decisionFor(merge.decisions, conflict) === 'theirs') {
      merge.judge(conflict)
      merge.refused.add(objectKey(object.type, object.id))
    }
  }
  if (merge.refused.size === 0) return
  const { created, changed, deleted } = merge.difference
  const { service, transaction } = merge.context
  const without: string[] = []
  const staying: string[] = []
  for (const [type, keys] of Map.groupBy(merge.refused, (key) => referenceOf(key).type)) {
    const model = service.registry.model(type)
    const ids = keys.map((key) => referenceOf(key).id)
    for (const id of ids) {
      changed.get(model)?.delete(id)
      if (created.get(model)?.has(id)) without.push(objectKey(type, id))
      if (deleted.get(model)?.has(id)) staying.push(objectKey(type, id))
    }
    // The deletion of what an object refers to changes the object too.
    for (const row of await loadRows(service, transaction, model, ids)) {
      for (const { type: target, id } of referencesIn(model, row))
        if (deleted.get(service.registry.model(target))?.has(id)) staying.push(objectKey(target, id))
    }
  }
  for (const row of merge.states.rows) {
    const columns = row.branch ?? row.base
    if (row.model.has('changeLogging') || !columns) continue
    const owners = referencesIn(row.model, rowOf(row.model, columns))
    if (!owners.some(({ type, id }) => merge.refused.has(objectKey(type, id)))) continue
    if (!row.base) without.push(keyOf(row))
    else if (row.branch) changed.get(row.model)?.delete(row.id)
    else staying.push(keyOf(row))
  }
  merge.leaveOut(without)
  await merge.keep(staying)
  await merge.followDeletions()
}
