import { requirePermission } from '../identity/permitted-rows.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { requireAccess } from '../write/access.ts'
import { requestDefaults, type WriteContext } from '../write/context.ts'
import { runAfterWrite } from '../write/effects.ts'
import { noteNamed } from '../write/record/events.ts'
import { referencesOf } from '../write/remove/dependent-rows.ts'
import { type DraftRow, loadRows } from '../write/rows.ts'
import { emptyRow } from '../write/save/empty-row.ts'
import { takeLock } from '../write/save/locks.ts'
import { restoreStatement } from '../write/save/row-source.ts'
import { saveRestored } from '../write/save/save-lifecycle.ts'
import { derivedValues } from '../write/validate/rules.ts'
import { checkUnique, validateRows } from '../write/validate/validate.ts'
import { refuseConflicts } from './conflict.ts'
import { draftOf, refusedDrafts } from './drafts.ts'
import { missingKeys, withoutMissing } from './missing-objects.ts'
import { type RecordedChange, undoDataIn, valuesBefore } from './recorded-change.ts'
import { wholeRow } from './recorded-row.ts'
import type { Undo, UndoStep } from './undo-plan.ts'
import { referencesAndLists } from './undone-changes.ts'

/**
 * Restores deleted objects with their ids. `finishRestoring` runs effects and rules, once all objects have been
 * restored.
 */
export async function restoreObjects(undo: Undo, { model, changes }: UndoStep): Promise<void> {
  const { context, message } = undo
  requirePermission(context.actor, 'add', model, context.service.settings)
  takeLock(context, model)
  const rows = await restoredRows(undo, model, changes)
  const drafts = rows.map((next) => draftOf(model, next, undefined))
  await checkUnique(context, drafts)
  refuseConflicts(await refusedDrafts(context, drafts))
  const derived = await derivedValues(context, drafts)
  const items = rows.map((row, index) => ({
    next: Object.assign(row, derived[index]),
    previous: undefined,
    message,
  }))
  noteNamed(
    context,
    model,
    rows.map(({ id }) => id),
  )
  await saveRestored(context, model, items)
  // The values that its effect sets in other objects are those from which later changes of the branch start.
  if (undo.kept && model.name === SYSTEM.customField) await runAfterWrite(context, model, 'create', items)
}

/**
 * The rows before their deletion; references to deleted objects that cannot be restored, such as users, are cleared.
 */
async function restoredRows(
  { context, names, restored }: Undo,
  model: Model,
  changes: readonly RecordedChange[],
): Promise<DraftRow[]> {
  const rows = changes.map((change) => ({
    id: change.object_id,
    values: wholeRow(model, valuesBefore(change), undoDataIn(change), names),
  }))
  const keys = rows.flatMap(({ values }) => referencesAndLists(model, values))
  const missing = await missingKeys(
    context,
    keys.filter((key) => !restored.has(key)),
  )
  const empty = emptyRow(model, requestDefaults(context))
  return rows.map(({ id, values }) => ({
    ...empty,
    ...(withoutMissing(model, values, missing) ?? values),
    id,
  }))
}

/** Restores rows without change records, runs the effects of all restored objects, and checks the rules of their models. */
export async function finishRestoring(undo: Undo, steps: readonly UndoStep[]): Promise<void> {
  const { context } = undo
  const restored = steps.filter(({ action }) => action === 'delete')
  const dependents = restored.flatMap(({ changes }) => changes.flatMap((each) => undoDataIn(each).dependents ?? []))
  await restoreDependents(context, [...dependents, ...(undo.dependents ?? [])])
  for (const { model, changes } of restored) {
    const ids = changes.map(({ object_id }) => object_id)
    const rows = await loadRows(context.service, context.transaction, model, ids)
    await runAfterWrite(
      context,
      model,
      'restore',
      rows.map((next) => ({ next, previous: undefined })),
    )
    // Compared with itself, since rules look for objects other than the stored one.
    const drafts = rows.map((row) => draftOf(model, { ...row }, row))
    await validateRows(context, drafts)
    refuseConflicts(await refusedDrafts(context, drafts))
    await requireAccess(
      context,
      'add',
      model,
      rows.map(({ id }) => id),
    )
  }
}

/** Inserts rows of models without change records if the objects that they refer to exist. */
async function restoreDependents(
  context: WriteContext,
  dependents: readonly { readonly model: string; readonly row: object }[],
): Promise<void> {
  const { service, transaction } = context
  for (const [name, list] of Map.groupBy(dependents, ({ model }) => model)) {
    const model = service.registry.models.get(name)
    if (!model) continue
    const rows = list.map(({ row }) => ({ ...emptyRow(model, requestDefaults(context)), ...row }))
    const missing = await missingKeys(
      context,
      rows.flatMap((row) => referencesOf(model, row)),
    )
    const whole = rows.filter((row) => referencesOf(model, row).every((key) => !missing.has(key)))
    if (whole.length === 0) continue
    // Tags are restored with their objects.
    await transaction.execute(restoreStatement(model, whole, { ifFree: true }))
    await runAfterWrite(
      context,
      model,
      'restore',
      whole.map((next) => ({ next, previous: undefined })),
    )
  }
}
