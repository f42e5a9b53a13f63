import { timestampsAfter } from '../../base/clock.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../context.ts'
import { isRecorded, recordChanges } from '../record/changelog.ts'
import { notifySubscribers } from '../record/subscriptions.ts'
import { noteCustomFieldsForSearch, noteForSearch, noteUpdateForSearch } from '../record/unindexed-changes.ts'
import { loadRows, type StoredRow } from '../rows.ts'
import { countRows, countsItself } from './counters.ts'
import { runAfterWrite, runBeforeChangeRecord } from './effects.ts'
import { placeMoved } from './hierarchy.ts'
import { insertDrafts, type Saved, updateDrafts } from './insert-update.ts'
import { saveRelations } from './relations.ts'
import { restoreStatement } from './row-source.ts'

/**
 * `create` inserts rows and sets their ids; `update` changes stored rows. `restore` does both with the ids that the rows
 * have: one model of a batch, which runs the stages that are left out once the rows of all models are stored.
 */
type Occasion = 'create' | 'update' | 'restore'

interface SaveOptions {
  readonly on: Occasion
  /** The cause: the body of a request (by default), or an effect of another write. */
  readonly by?: 'request' | 'effect'
}

/** Saves rows of one model with all their related parts: all stages in their order. */
export async function saveObjects(
  context: WriteContext,
  model: Model,
  items: readonly Saved[],
  { on, by = 'request' }: SaveOptions,
): Promise<void> {
  const changed = items.flatMap(({ next, previous }) => (previous ? [{ next, previous }] : []))
  const created = items.filter(({ previous }) => !previous)
  const save: Save = { context, model, on, by, items, created, changed, changedColumns: new Set(), stored: undefined }
  for (const stage of STAGES) if (stage.on.includes(on)) await stage.run(save)
}

interface Save extends Required<SaveOptions> {
  readonly context: WriteContext
  readonly model: Model
  readonly items: readonly Saved[]
  /** The items without a stored row, and those with one. */
  readonly created: readonly Saved[]
  readonly changed: readonly (Saved & { readonly previous: StoredRow })[]
  /** Keys of the columns that differ from those of the stored rows, once these are updated. */
  changedColumns: ReadonlySet<string>
  /** The rows as stored, once they are read for their change records. */
  stored: readonly StoredRow[] | undefined
}

interface Stage {
  readonly on: readonly Occasion[]
  readonly run: (save: Save) => Promise<void> | void
}

const WHOLE: readonly Occasion[] = ['create', 'update']
const ALL: readonly Occasion[] = ['create', 'update', 'restore']

const STAGES: readonly Stage[] = [
  { on: WHOLE, run: setTimestamps },
  { on: ['update', 'restore'], run: dropDescriptions },
  { on: ['create'], run: insert },
  { on: ['restore'], run: insertWithIds },
  { on: ['update', 'restore'], run: update },
  { on: ALL, run: noteForDryRun },
  { on: ['create'], run: noteCreations },
  { on: WHOLE, run: ({ context, model, items }) => placeMoved(context, model, items) },
  { on: ALL, run: ({ context, model, items }) => saveRelations(context, model, items) },
  { on: WHOLE, run: ({ context, model, on, items }) => runBeforeChangeRecord(context, model, on, items) },
  { on: WHOLE, run: describeAndRead },
  { on: WHOLE, run: ({ context, model, items }) => countRows(context, model, items) },
  { on: WHOLE, run: record },
  {
    on: ['update'],
    run: ({ context, model, items }) => notifySubscribers(context, model, idsOf(items), 'object_updated'),
  },
  { on: ALL, run: noteForIndex },
  { on: WHOLE, run: ({ context, model, on, items }) => runAfterWrite(context, model, on, items) },
  { on: WHOLE, run: ({ context, model, items }) => noteCustomFieldsForSearch(context, model, items) },
]

const idsOf = (items: readonly Saved[]): number[] => items.map(({ next }) => next.id)

/**
 * Sets automatic timestamps. Timestamps of the objects in a batch differ by a microsecond each, so that lists ordered
 * by them keep the order of the batch.
 */
function setTimestamps({ context, model, on, items }: Save): void {
  for (const { name, occasion } of timestampsOf(model)) {
    if (occasion !== 'save' && on !== 'create') continue
    const later = timestampsAfter(context.now)
    items.forEach(({ next }, index) => {
      next[name] = later(index)
    })
  }
}

const timestampsOf = oncePer((model: Model) =>
  [...model.fields].flatMap(([name, field]) =>
    field.kind === 'dateTime' && field.auto ? [{ name, occasion: field.auto }] : [],
  ),
)

function dropDescriptions({ context, model, changed }: Save): void {
  context.journal.dropDescriptions(model, idsOf(changed))
}

function insert({ context, model, items }: Save): Promise<void> {
  return insertDrafts(
    context,
    model,
    items.map(({ next }) => next),
  )
}

async function insertWithIds({ context, model, created }: Save): Promise<void> {
  if (created.length === 0) return
  const rows = created.map(({ next }) => next)
  await context.transaction.execute(restoreStatement(model, rows))
}

async function update(save: Save): Promise<void> {
  save.changedColumns = await updateDrafts(save.context, save.model, save.changed)
}

function noteForDryRun({ context: { wouldChange }, model, created, changed }: Save): void {
  wouldChange?.noteCreated(model, idsOf(created))
  wouldChange?.noteChanged(model, changed)
}

function noteCreations({ context, model, items }: Save): Promise<void> {
  return context.journal.noteCreations(model, idsOf(items))
}

/**
 * Describes the objects for their events, before the effects of their save; reads the rows for change records in the
 * same round trip, unless the counters of the save will change them.
 */
async function describeAndRead(save: Save): Promise<void> {
  const { context, model, on, by, items } = save
  const ids = idsOf(items)
  const isReadNow = isRecorded(model) && !countsItself(model)
  const [stored] = await Promise.all([
    isReadNow ? loadRows(context.service, context.transaction, model, ids) : undefined,
    by === 'request'
      ? context.journal.describe(model, ids, on === 'create' ? 'object_created' : 'object_updated')
      : undefined,
  ])
  save.stored = stored
}

/**
 * Writes change records and records events, both of which show rows as stored: with defaults, counters and display
 * texts.
 */
async function record({ context, model, items, stored }: Save): Promise<void> {
  if (!isRecorded(model)) return
  const rows = stored ?? (await loadRows(context.service, context.transaction, model, idsOf(items)))
  const byId = new Map(rows.map((row) => [row.id, row]))
  await recordChanges(
    context,
    items.map(({ next, previous, message = '' }) => ({ model, previous, next: byId.get(next.id), message })),
  )
}

function noteForIndex({ context, model, created, changed, changedColumns }: Save): void {
  if (created.length > 0) noteForSearch(context, model, idsOf(created))
  if (changed.length > 0) noteUpdateForSearch(context, model, idsOf(changed), changedColumns)
}
