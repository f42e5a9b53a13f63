import type { Model } from '../schema/registry.ts'
import { requireAccess } from '../write/access.ts'
import { noteNamed } from '../write/record/events.ts'
import { isSaveTime } from '../write/record/undo-data.ts'
import type { StoredRow } from '../write/rows.ts'
import { saveUpdated } from '../write/save/save-lifecycle.ts'
import { derivedValues } from '../write/validate/rules.ts'
import { validateRows } from '../write/validate/validate.ts'
import { refuseConflicts } from './conflict.ts'
import { draftOf, refusedDrafts } from './drafts.ts'
import { lockedRows } from './locked-rows.ts'
import {
  changedNames,
  hasSameValue,
  type RecordedChange,
  undoDataIn,
  valuesAfter,
  valuesBefore,
} from './recorded-change.ts'
import { type RestoredValues, rowValues } from './recorded-row.ts'
import type { Undo, UndoStep } from './undo-plan.ts'

/** Sets the fields that updates have changed back to their values before. */
export async function revertObjects(undo: Undo, step: UndoStep): Promise<void> {
  const { context, message } = undo
  const { model, changes } = step
  const rows = await lockedRows(undo, 'change', step)
  const stored = new Map(rows.map((row) => [row.id, row]))
  const reverts = changes.flatMap((change) => {
    const previous = stored.get(change.object_id)
    return previous ? [{ previous, values: valuesToSet(undo, model, change, previous) }] : []
  })
  const items = reverts.filter(({ values }) => Object.keys(values).length > 0)
  if (items.length === 0) return
  const drafts = items.map(({ previous, values }) =>
    draftOf(model, { ...previous, ...values }, previous, Object.keys(values)),
  )
  await validateRows(context, drafts)
  refuseConflicts(await refusedDrafts(context, drafts))
  const plain = items.map(({ previous, values }) =>
    draftOf(model, { ...previous, ...values }, previous, Object.keys(values)),
  )
  const derived = await derivedValues(context, plain)
  const pending = plain.map(({ next, previous }, index) => ({
    next: Object.assign(next, derived[index]),
    previous,
    message,
  }))
  noteNamed(
    context,
    model,
    pending.map(({ next }) => next.id),
  )
  await saveUpdated(context, model, pending, 'undo')
  await requireAccess(
    context,
    'change',
    model,
    pending.map(({ next }) => next.id),
  )
}

/** The values before the change of the fields that it has changed. */
function valuesToSet(
  { context, names }: Undo,
  model: Model,
  change: RecordedChange,
  stored: StoredRow,
): RestoredValues {
  const [before, after] = [valuesBefore(change), valuesAfter(change)]
  const data = undoDataIn(change)
  const values: Record<string, unknown> = {
    ...rowValues(model, changedNames(before, after), before, data, names),
  }
  for (const column of model.columns.values()) {
    if (!isSaveTime(column)) continue
    const { key } = column
    const isLast = hasSameValue(data.saved?.[key], stored[key] as string | null) // a text or null
    values[key] = isLast && key in data.row ? data.row[key] : context.now
  }
  return values
}
