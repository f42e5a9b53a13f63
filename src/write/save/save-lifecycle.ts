import { timestampsAfter } from '../../clock.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { ObjectEventType } from '../changes.ts'
import type { WriteContext } from '../context.ts'
import { runAfterWrite, runBeforeChangeRecord } from '../effects.ts'
import { isRecorded, recordChanges } from '../record/changelog.ts'
import { describeSaved, dropDescriptions, noteCreations } from '../record/events.ts'
import { notifySubscribers } from '../record/subscriptions.ts'
import { noteCustomFieldsForSearch, noteForSearch, noteUpdateForSearch } from '../record/unindexed-changes.ts'
import { type DraftRow, loadRows, type StoredRow } from '../rows.ts'
import { adjustCounters, countsItself } from './counters.ts'
import { placeNodes } from './hierarchy.ts'
import { insertDrafts, saveRelations, updateDrafts } from './insert-update.ts'
import { restoreStatement } from './row-source.ts'

/** A row to save, with the message for its change record. */
export interface Pending {
  readonly next: DraftRow
  readonly previous: StoredRow | undefined
  readonly message: string
}

/** The cause of a save: the body of a request, an effect of another write, or an undo, which keeps the timestamps of the rows. */
export type SaveCause = 'request' | 'effect' | 'undo'

/** Inserts rows with all their related parts, and sets their ids. */
export async function saveCreated(
  context: WriteContext,
  model: Model,
  items: readonly Pending[],
  cause: SaveCause,
): Promise<void> {
  const rows = items.map(({ next }) => next)
  setTimestamps(context, model, rows, ['insert', 'save'])
  const whole = await insertDrafts(context, model, rows)
  const ids = rows.map(({ id }) => id)
  context.wouldChange?.noteCreated(model, ids)
  await noteCreations(context, model, ids)
  await placeNodes(context, model, ids)
  await saveRelations(context, model, items)
  await runBeforeChangeRecord(context, model, 'create', items)
  if (cause === 'request') await describe(context, model, rows, 'object_created')
  adjustCounters(context, model, [], rows)
  await record(context, model, items, whole)
  noteForSearch(context, model, ids)
  await runAfterWrite(context, model, 'create', items)
  noteCustomFieldsForSearch(context, model, items)
}

/**
 * Inserts rows with their former ids, with all their related parts. The caller runs the effects of their return,
 * `runAfterWrite` with `restore`, once everything has been restored.
 */
export async function saveRestored(context: WriteContext, model: Model, items: readonly Pending[]): Promise<void> {
  const rows = items.map(({ next }) => next)
  const ids = rows.map(({ id }) => id)
  context.wouldChange?.noteCreated(model, ids)
  await context.transaction.execute(restoreStatement(model, rows, { ifFree: false }))
  await noteCreations(context, model, ids)
  await placeNodes(context, model, ids)
  await saveRelations(context, model, items)
  await describe(context, model, rows, 'object_created')
  adjustCounters(context, model, [], rows)
  await record(context, model, items)
  noteForSearch(context, model, ids)
  noteCustomFieldsForSearch(context, model, items)
}

/** Updates rows with all their related parts. `moved`: nodes whose position in a tree changes. */
export async function saveUpdated(
  context: WriteContext,
  model: Model,
  items: readonly Pending[],
  cause: SaveCause,
): Promise<void> {
  const rows = items.map(({ next }) => next)
  const ids = rows.map(({ id }) => id)
  context.wouldChange?.noteChanged(model, items)
  dropDescriptions(context, model, ids)
  if (cause !== 'undo') setTimestamps(context, model, rows, ['save'])
  const updated = await updateDrafts(context, model, items)
  await placeNodes(context, model, movedNodes(model, items))
  await saveRelations(context, model, items)
  await runBeforeChangeRecord(context, model, 'update', items)
  // Both are read in one round trip.
  const isUnread = isRecorded(model) && !countsItself(model) && !updated.stored
  const [stored = updated.stored] = await Promise.all([
    isUnread ? loadRows(context.service, context.transaction, model, ids) : undefined,
    cause !== 'effect' ? describe(context, model, rows, 'object_updated') : undefined,
  ])
  const before = items.flatMap(({ previous }) => previous ?? [])
  adjustCounters(context, model, before, rows)
  await record(context, model, items, stored)
  await notifySubscribers(context, model, ids, 'object_updated')
  noteUpdateForSearch(context, model, ids, updated.changed)
  await runAfterWrite(context, model, 'update', items)
  noteCustomFieldsForSearch(context, model, items)
}

/** Describes the rows for their events, as they are before the effects of their save. */
const describe = (
  context: WriteContext,
  model: Model,
  rows: readonly DraftRow[],
  type: ObjectEventType,
): Promise<void> =>
  describeSaved(
    context,
    model,
    rows.map(({ id }) => id),
    type,
  )

/** Nodes whose position in their tree changes. */
function movedNodes({ definition }: Model, items: readonly Pending[]): number[] {
  const { tree } = definition
  if (!tree) return []
  return items
    .filter(({ previous, next }) => [tree.parent, tree.orderBy].some((key) => previous?.[key] !== next[key]))
    .map(({ next }) => next.id)
}

/**
 * Sets automatic timestamps. Timestamps of the objects in a batch differ by a microsecond each, so that lists ordered
 * by them keep the order of the batch.
 */
function setTimestamps(
  { now }: WriteContext,
  model: Model,
  rows: readonly DraftRow[],
  occasions: readonly string[],
): void {
  for (const { name, occasion } of timestampsOf(model)) {
    if (!occasions.includes(occasion)) continue
    const later = timestampsAfter(now)
    rows.forEach((row, index) => {
      row[name] = later(index)
    })
  }
}

const timestampsOf = oncePer((model: Model) =>
  [...model.fields].flatMap(([name, field]) =>
    field.kind === 'dateTime' && field.auto ? [{ name, occasion: field.auto }] : [],
  ),
)

/**
 * Writes change records and records events, both of which show rows as stored: with defaults, counters and display
 * texts. The rows are read again unless `known`.
 */
async function record(
  context: WriteContext,
  model: Model,
  items: readonly Pending[],
  known?: readonly StoredRow[],
): Promise<void> {
  if (!isRecorded(model)) return
  const ids = items.map(({ next }) => next.id)
  const stored = known ?? (await loadRows(context.service, context.transaction, model, ids))
  const byId = new Map(stored.map((row) => [row.id, row]))
  await recordChanges(
    context,
    items.map(({ next, previous, message }) => ({
      model,
      previous,
      next: byId.get(next.id),
      message,
    })),
  )
}
