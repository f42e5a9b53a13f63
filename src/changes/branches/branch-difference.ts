import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { WriteContext } from '../../write/context.ts'
import { objectKey } from '../../write/related-object.ts'
import { actionOf } from '../../write/remove/find-dependents.ts'
import { asIds, type DraftRow, loadRows, type StoredRow } from '../../write/rows.ts'
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
import { type BranchConflict, type Decisions, type JudgedConflict, stateOf } from './branch-conflicts.ts'
import { type ComparedBranch, keyOf, readStates } from './branch-states.ts'
import {
  type ComparedValue,
  changedValues,
  editCustomValues,
  hasMainChanged,
  isContested,
  valueConflict,
} from './compare.ts'
import { compareSides } from './compare-sides.ts'
import { compareUniqueValues } from './compare-unique-values.ts'
import { valuesOnMain } from './custom-values.ts'
import type { OverlayRow } from './overlay-rows.ts'
import { PlannedMerge } from './planned-merge.ts'
import { leaveOutRefused } from './refusals.ts'

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
 * rehearsal, the merge and the synchronisation. Compares three states of each row, by ids. While a conflict is
 * undecided, the branch's values count. `lock`: locks main's rows before
 * they are compared.
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

/** Compares values. Returns the objects that main has deleted and that are to be restored. */
function compareRows(merge: PlannedMerge): readonly string[] {
  const restored: string[] = []
  for (const row of merge.states.rows) {
    const { model, id, base, main, branch } = row
    const branchRow = merge.states.branchRows.get(keyOf(row))
    if (!branch) {
      if (main) markDeleted(merge.difference, model, id)
      continue
    }
    if (!branchRow) continue
    if (!base && !main) {
      valuesIn(merge.difference.created, model).set(id, newRow(merge, model, branchRow))
      continue
    }
    const values = changedValues({ ...row, base: base ?? main }, merge.states.names)
    if (values.length === 0) continue
    if (main) setValues(merge, row, values, branchRow)
    else if (keepsChanges(merge, row, values)) {
      restored.push(keyOf(row))
      valuesIn(merge.difference.created, model).set(id, newRow(merge, model, branchRow))
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
      row[key] = valuesOnMain(merge.states.names, model.name, branchRow[key] as Record<string, Json>) // by rows.ts
  }
  return row
}

function keepsChanges(merge: PlannedMerge, { model, id }: OverlayRow, values: readonly ComparedValue[]): boolean {
  if (!model.has('changeLogging')) return false
  const state = stateOf(values.map(({ field, branch }) => [field, branch]))
  return merge.judge({ reason: 'deletedOnMain', type: model.name, id, state }) === 'mine'
}

function setValues(merge: PlannedMerge, row: OverlayRow, values: readonly ComparedValue[], branchRow: StoredRow): void {
  const { model, id } = row
  const custom: Record<string, Json> = {}
  const set: Record<string, unknown> = {}
  for (const value of values) {
    const { field, keys, branch } = value
    if (isContested(value) && merge.judge(valueConflict(row, value)) === 'theirs') continue
    if (field.startsWith(CUSTOM)) custom[field.slice(CUSTOM.length)] = branch
    else for (const key of keys) set[key] = branchRow[key]
  }
  if (Object.keys(custom).length > 0) set.custom_fields = editCustomValues(custom)
  if (Object.keys(set).length > 0) addValues(merge.difference, model, id, set)
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

/** Adds the lists of existing objects, element by element. */
function compareLists(merge: PlannedMerge): void {
  const lists = Map.groupBy(merge.states.pairs, ({ model, id, list }) => `${model.name} ${id} ${list}`)
  for (const [first, ...rest] of lists.values()) {
    if (!first) continue
    const { model, id, list } = first
    const field = model.fields.get(list)
    const to = field?.kind === 'manyToMany' ? field.to : SYSTEM.tag
    if (merge.difference.created.get(model)?.has(id) || merge.difference.deleted.get(model)?.has(id)) continue
    if (merge.refused.has(objectKey(model.name, id))) continue
    // Removals that followed from deletions are left out with these.
    const isKept = merge.kept.has(objectKey(model.name, id))
    const pairs = [first, ...rest].filter(
      ({ target, isAdded }) => isAdded || !(isKept || merge.kept.has(objectKey(to, target))),
    )
    const added = pairs.flatMap(({ target, isAdded }) => (isAdded ? target : []))
    const removed = new Set(pairs.flatMap(({ target, isAdded }) => (isAdded ? [] : target)))
    if (pairs.length === 0) continue
    addValues(merge.difference, model, id, {
      [list]: (present: unknown) =>
        [...new Set([...asIds(present), ...added])].filter((target) => !removed.has(target)),
    })
  }
}

/** References to objects that main has deleted. */
async function compareReferences(merge: PlannedMerge): Promise<void> {
  const { registry } = merge.context.service
  const { created } = merge.difference
  const missing = await merge.missingReferences()
  const wanted: string[] = []
  for (const { model, id, reference } of missing) {
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
    if (isMine) wanted.push(objectKey(type, target))
    else merge.clearReference(model, id, reference)
  }
  await merge.restore(wanted)
  // What the restored objects need is restored with them.
  for (let rounds = 0; rounds < MOST_ROUNDS && created.size > 0; rounds++) {
    const still = await merge.missingReferences()
    if (still.length === 0) return
    const createdBefore = merge.createdCount
    await merge.restore(still.map(({ reference }) => objectKey(reference.type, reference.id)))
    if (merge.createdCount === createdBefore) {
      for (const { model, id, reference } of still) merge.clearReference(model, id, reference)
      return
    }
  }
}

const CUSTOM = 'custom_fields.'
/** Levels of objects that are restored because others need them. */
const MOST_ROUNDS = 10

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
