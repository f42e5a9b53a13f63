import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { WriteContext } from '../../write/context.ts'
import { objectKey } from '../../write/related-object.ts'
import { actionOf } from '../../write/remove/find-dependents.ts'
import { type DraftRow, loadRows, type StoredRow } from '../../write/rows.ts'
import { isDerived } from '../../write/validate/rules.ts'
import { checkTrees } from '../../write/validate/trees.ts'
import {
  addValues,
  type Difference,
  markDeleted,
  remainingReferences,
  removeValues,
  valuesIn,
} from '../difference/difference.ts'
import { draftOf } from '../difference/drafts.ts'
import { referenceOf } from '../difference/missing-objects.ts'
import { isIndependent } from '../difference/undone-difference.ts'
import { hasSameValue } from '../records/recorded-change.ts'
import type { RestoredValues } from '../records/recorded-row.ts'
import { type BranchConflict, type Decisions, type JudgedConflict, stateOf } from './branch-conflicts.ts'
import { type ComparedBranch, keyOf, readStates } from './branch-states.ts'
import { type Cell, cellsOf, outcomeOf, takesBranch } from './cells.ts'
import { compareUniqueValues } from './compare-unique-values.ts'
import { editCustomValues, valuesOnMain } from './custom-fields.ts'
import { type OverlayRow, withChanges } from './overlay-rows.ts'
import { PlannedMerge } from './planned-merge.ts'
import { leaveOutRefused } from './refusals.ts'
import { compareSides } from './sides.ts'

/** What a merge makes of main. */
export interface BranchDifference {
  readonly difference: Difference
  readonly conflicts: readonly JudgedConflict[]
  /** The rows of the branch, with main's. */
  readonly rows: readonly OverlayRow[]
  /** Keys of objects of which the branch's version is left out as a whole. */
  readonly refused: ReadonlySet<string>
}

/**
 * The net difference between a branch and main, and the conflicts: one function for the list of conflicts, the
 * rehearsal, the merge and the synchronisation. The three-way rule (`outcomeOf`) decides about values; then come the
 * rules about references, trees and unique values. While a conflict is undecided, the branch's values count. `lock`:
 * locks main's rows before they are compared.
 */
export async function compareBranch(
  context: WriteContext,
  branch: ComparedBranch,
  decisions: Decisions,
  options: { readonly lock: boolean },
): Promise<BranchDifference> {
  const states = await readStates(context, branch, decisions, options)
  const merge = new PlannedMerge(context, states, decisions)
  const deletedOnMain = compareRows(merge)
  await compareDeletions(merge)
  await compareSides(merge)
  await merge.restore(deletedOnMain)
  await leaveOutRefused(merge)
  compareLists(merge)
  await compareReferences(merge)
  await compareTrees(merge)
  await compareUniqueValues(merge)
  await merge.followDeletions()
  const { difference, conflicts, refused } = merge
  return { difference, conflicts, rows: states.rows, refused }
}

/** Compares objects and their values. Returns the objects that main has deleted and that are to be restored. */
function compareRows(merge: PlannedMerge): readonly string[] {
  const { difference, states } = merge
  const restored: string[] = []
  for (const row of states.rows) {
    const { model, id, base, main, branch } = row
    const branchRow = states.branchRows.get(keyOf(row))
    if (!branch) {
      if (main) markDeleted(difference, model, id)
    } else if (branchRow && main) {
      const cells = cellsOf(row, states.customFields)
      const taken = cells.filter((cell) => takesBranch(cell, (conflict) => merge.judge(conflict)))
      if (taken.length > 0) addValues(difference, model, id, valuesOf(taken, branchRow))
    } else if (branchRow && (!base || keepsChanges(merge, row))) {
      if (base) restored.push(keyOf(row))
      valuesIn(difference.created, model).set(id, newRow(merge, model, branchRow))
    }
  }
  return restored
}

/**
 * The row of the branch as a new one on main: custom fields have their present names, and values that follow from
 * other rows are computed again, since these rows may have changed or be gone.
 */
function newRow(merge: PlannedMerge, model: Model, branchRow: StoredRow): DraftRow {
  const row: DraftRow = { ...branchRow }
  for (const column of model.columns.values()) {
    const { key, field } = column
    if (isDerived(model, column)) delete row[key]
    else if (field.kind === 'customFields')
      row[key] = valuesOnMain(merge.states.customFields, model.name, branchRow[key] as Record<string, Json>) // by rows.ts
  }
  return row
}

function keepsChanges(merge: PlannedMerge, row: OverlayRow): boolean {
  const { model, id } = row
  const changed = cellsOf(row, merge.states.customFields).filter((cell) => outcomeOf(cell) !== 'main')
  if (changed.length === 0 || !model.has('changeLogging')) return false
  const state = stateOf(changed.map(({ field, branch }) => [field, branch]))
  return merge.judge({ reason: 'deletedOnMain', type: model.name, id, state }) === 'mine'
}

/** The branch's values of the cells. */
function valuesOf(cells: readonly Cell[], branchRow: StoredRow): RestoredValues {
  const custom = cells.flatMap(({ customField, branch }) =>
    customField === undefined ? [] : [[customField, branch] as const],
  )
  const keys = cells.flatMap((cell) => (cell.customField === undefined ? cell.keys : []))
  return {
    ...Object.fromEntries(keys.map((key) => [key, branchRow[key]])),
    ...(custom.length > 0 && { custom_fields: editCustomValues(Object.fromEntries(custom)) }),
  }
}

/** Deletions of the branch: of objects that main has changed, or to which main refers since. */
async function compareDeletions(merge: PlannedMerge): Promise<void> {
  const { deleted } = merge.difference
  if (deleted.size === 0) return
  const references = (await remainingReferences(merge.context, merge.difference)).filter(({ referrer }) =>
    isIndependent(referrer),
  )
  const byTarget = Map.groupBy(
    references.filter(({ referrer }) => actionOf(referrer) !== 'unlink'),
    ({ to, target }) => objectKey(to.name, target),
  )
  const keeps: string[] = []
  for (const [model, ids] of deleted) {
    for (const id of model.has('changeLogging') ? ids : []) {
      const key = objectKey(model.name, id)
      const row = merge.states.byKey.get(key)
      const referring = (byTarget.get(key) ?? []).map((reference) =>
        objectKey(reference.referrer.model.name, reference.id),
      )
      if (referring.length === 0 && !(row && hasMainChanged(row))) continue
      const deletes = await merge.countDependents(model, id)
      const state = stateOf(row?.main, referring.toSorted(), deletes)
      const referrer = referring[0] === undefined ? undefined : referenceOf(referring[0])
      const conflict = { reason: 'deletedInBranch', type: model.name, id, other: referrer, deletes, state } as const
      if (merge.judge(conflict) === 'theirs') keeps.push(key)
    }
  }
  await merge.keep(keeps)
  await merge.followDeletions()
}

/** Whether main has changed the object since the branch first did. */
const hasMainChanged = (row: OverlayRow): boolean =>
  row.base !== undefined &&
  row.main !== undefined &&
  cellsOf(row, undefined).some(({ base, main }) => !hasSameValue(base, main))

/** Adds the lists of existing objects, element by element. */
function compareLists(merge: PlannedMerge): void {
  const lists = Map.groupBy(merge.states.pairs, ({ model, id, list }) => `${model.name} ${id} ${list}`)
  for (const [first, ...further] of lists.values()) {
    if (!first) continue
    const { model, id, list } = first
    const field = model.fields.get(list)
    const to = field?.kind === 'manyToMany' ? field.to : SYSTEM.tag
    if (merge.difference.created.get(model)?.has(id) || merge.difference.deleted.get(model)?.has(id)) continue
    if (merge.refused.has(objectKey(model.name, id))) continue
    // Removals that followed from deletions are left out with these.
    const isKept = merge.kept.has(objectKey(model.name, id))
    const pairs = [first, ...further].filter(
      ({ target, isAdded }) => isAdded || !(isKept || merge.kept.has(objectKey(to, target))),
    )
    if (pairs.length > 0)
      addValues(merge.difference, model, id, { [list]: (present: unknown) => withChanges(present, pairs) })
  }
}

/** References to objects that main has deleted. */
async function compareReferences(merge: PlannedMerge): Promise<void> {
  const { registry } = merge.context.service
  const restored: string[] = []
  for (const { model, id, reference } of await merge.missingReferences()) {
    const { field, type, id: target } = reference
    const isRestorable = registry.models.get(type)?.has('changeLogging') === true
    const conflict: BranchConflict = {
      type: model.name,
      id,
      field,
      branch: target,
      other: { type, id: target },
      reason: 'missing',
      state: stateOf(type, target),
    }
    const isMine = isRestorable && model.has('changeLogging') && merge.judge(conflict) === 'mine'
    if (isMine) restored.push(objectKey(type, target))
    else merge.clearReference(model, id, reference)
  }
  // What the restored objects need is restored with them.
  for (let needed = restored; needed.length > 0; ) {
    const hasRestored = await merge.restore(needed)
    const missing = await merge.missingReferences()
    if (!hasRestored) for (const { model, id, reference } of missing) merge.clearReference(model, id, reference)
    needed = hasRestored ? missing.map(({ reference: { type, id } }) => objectKey(type, id)) : []
  }
}

/** Nodes of a tree that both sides have moved below each other. */
async function compareTrees(merge: PlannedMerge): Promise<void> {
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
