import { timestampsAfter } from '../../clock.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../context.ts'
import { isRecorded, recordChanges } from '../record/changelog.ts'
import type { ObjectEventType } from '../record/changes.ts'
import { notifySubscribers } from '../record/subscriptions.ts'
import { noteCustomFieldsForSearch, noteForSearch, noteUpdateForSearch } from '../record/unindexed-changes.ts'
import { type DraftRow, loadRows, type StoredRow } from '../rows.ts'
import { adjustCounters, countsItself } from './counters.ts'
import { runAfterWrite, runBeforeChangeRecord } from './effects.ts'
import { placeNodes } from './hierarchy.ts'
import { insertDrafts, type Saved, updateDrafts } from './insert-update.ts'
import { saveRelations } from './relations.ts'
import { restoreStatement } from './row-source.ts'

/** A row to save, with the message for its change record. */
export interface Pending {
  readonly next: DraftRow
  readonly previous: StoredRow | undefined
  readonly message: string
}

/** The cause of a save: the body of a request, or an effect of another write. */
type SaveCause = 'request' | 'effect'

/** Inserts rows with all their related parts, and sets their ids. */
export async function saveCreated(
  context: WriteContext,
  model: Model,
  items: readonly Pending[],
  cause: SaveCause,
): Promise<void> {
  const rows = items.map(({ next }) => next)
  setTimestamps(context, model, rows, ['insert', 'save'])
  await insertDrafts(context, model, rows)
  const ids = rows.map(({ id }) => id)
  context.wouldChange?.noteCreated(model, ids)
  await context.journal.noteCreations(model, ids)
  await placeNodes(context, model, ids)
  await saveRelations(context, model, items)
  await runBeforeChangeRecord(context, model, 'create', items)
  if (cause === 'request') await describe(context, model, rows, 'object_created')
  adjustCounters(context, model, [], rows)
  await record(context, model, items)
  noteForSearch(context, model, ids)
  await runAfterWrite(context, model, 'create', items)
  noteCustomFieldsForSearch(context, model, items)
}

/**
 * Inserts new rows with their ids and updates the others, without records and effects, which a batch of several models
 * has at its end. Derived values and positions in trees are saved as they are.
 */
export async function saveRows(context: WriteContext, model: Model, items: readonly Saved[]): Promise<void> {
  const created = items.flatMap(({ next, previous }) => (previous ? [] : next))
  const changed = items.filter(({ previous }) => previous)
  const idsOf = (rows: readonly Saved[]) => rows.map(({ next }) => next.id)
  context.wouldChange?.noteCreated(
    model,
    created.map(({ id }) => id),
  )
  context.wouldChange?.noteChanged(
    model,
    changed.flatMap(({ next, previous }) => (previous ? [{ next, previous }] : [])),
  )
  if (created.length > 0) await context.transaction.execute(restoreStatement(model, created))
  context.journal.dropDescriptions(model, idsOf(changed))
  const columns = await updateDrafts(context, model, changed)
  await saveRelations(context, model, items)
  noteForSearch(
    context,
    model,
    created.map(({ id }) => id),
  )
  noteUpdateForSearch(context, model, idsOf(changed), columns)
}

/** Updates the counters in the objects of the rows, once all of these are stored. */
export const countRows = (context: WriteContext, model: Model, items: readonly Saved[]): void =>
  adjustCounters(
    context,
    model,
    items.flatMap(({ previous }) => previous ?? []),
    items.map(({ next }) => next),
  )

/** Places the new and the moved nodes of a tree, once all nodes are stored. */
export const placeMoved = (context: WriteContext, model: Model, items: readonly Saved[]): Promise<void> =>
  placeNodes(context, model, movedNodes(model, items))

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
  context.journal.dropDescriptions(model, ids)
  setTimestamps(context, model, rows, ['save'])
  const changed = await updateDrafts(context, model, items)
  await placeNodes(context, model, movedNodes(model, items))
  await saveRelations(context, model, items)
  await runBeforeChangeRecord(context, model, 'update', items)
  // Both are read in one round trip.
  const isUnread = isRecorded(model) && !countsItself(model)
  const [stored] = await Promise.all([
    isUnread ? loadRows(context.service, context.transaction, model, ids) : undefined,
    cause !== 'effect' ? describe(context, model, rows, 'object_updated') : undefined,
  ])
  const before = items.flatMap(({ previous }) => previous ?? [])
  adjustCounters(context, model, before, rows)
  await record(context, model, items, stored)
  await notifySubscribers(context, model, ids, 'object_updated')
  noteUpdateForSearch(context, model, ids, changed)
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
  context.journal.describe(
    model,
    rows.map(({ id }) => id),
    type,
  )

/** Nodes whose position in their tree changes. */
function movedNodes({ definition }: Model, items: readonly Saved[]): number[] {
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
