import type { Column } from '../schema/column.ts'
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
import { keyOfChange, type Undo, type UndoStep } from './undo-plan.ts'

/** Sets the fields that updates have changed to their former values. */
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

/** The former values of the changed fields. */
function valuesToSet(
  { context, names, kept }: Undo,
  model: Model,
  change: RecordedChange,
  stored: StoredRow,
): RestoredValues {
  const [before, after] = [valuesBefore(change), valuesAfter(change)]
  const data = undoDataIn(change)
  const keeps = kept?.get(keyOfChange(change))
  const changed = changedNames(before, after).filter((name) => !keeps?.has(name))
  const values: Record<string, unknown> = {
    ...rowValues(model, changed, before, data, names),
  }
  if (kept) keepOthers(model, values, rowValues(model, changed, after, { row: {} }, names), stored)
  for (const column of model.columns.values()) {
    const { key } = column
    if (isBesideRecord(column) && key in data.row && !keeps?.has(key)) values[key] = data.row[key]
    if (!isSaveTime(column)) continue
    const isLast = hasSameValue(data.saved?.[key], stored[key] as string | null) // a text or null
    values[key] = isLast && key in data.row ? data.row[key] : context.now
  }
  return values
}

/** Whether people see the value but change records lack it, because it is another form of a recorded value. */
const isBesideRecord = (column: Column): boolean => {
  const { field } = column
  const isHidden = 'hidden' in field && field.hidden === true
  return 'unlogged' in field && field.unlogged === true && !isHidden && !isSaveTime(column)
}

/**
 * A merge adds items to a list of objects, or removes them, without affecting items that other users have added
 * meanwhile. `from`: the values before the change.
 */
function keepOthers(model: Model, values: Record<string, unknown>, from: RestoredValues, stored: StoredRow): void {
  for (const [name, value] of Object.entries(values)) {
    const [before, now] = [from[name], stored[name]]
    if (!LISTS_OF_OBJECTS.has(model.fields.get(name)?.kind ?? '')) continue
    if (!Array.isArray(value) || !Array.isArray(before) || !Array.isArray(now)) continue
    const staying = now.filter((id) => !before.includes(id) || value.includes(id))
    values[name] = [...staying, ...value.filter((id) => !before.includes(id) && !now.includes(id))]
  }
}

const LISTS_OF_OBJECTS: ReadonlySet<string> = new Set(['tags', 'manyToMany'])
