import { forbidden } from '../../base/errors.ts'
import type { PermissionAction } from '../../identity/actor.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { deletionOrder } from '../../schema/deletion-order.ts'
import type { Model } from '../../schema/registry.ts'
import type { Writer } from '../../schema/rule.ts'
import { volatile } from '../../sql/fragment.ts'
import { requireAccess, selectTargets } from '../../write/access.ts'
import { requestDefaults, type WriteContext } from '../../write/context.ts'
import type { Draft } from '../../write/draft.ts'
import { emptyRow } from '../../write/empty-row.ts'
import { type ObjectChange, recordChanges } from '../../write/record/changelog.ts'
import { notifySubscribers } from '../../write/record/subscriptions.ts'
import { isSaveTime } from '../../write/record/undo-data.ts'
import { noteCustomFieldsForSearch } from '../../write/record/unindexed-changes.ts'
import { deleteWithDependents } from '../../write/remove/cascade.ts'
import { type DraftRow, loadRows, type StoredRow } from '../../write/rows.ts'
import { countRows } from '../../write/save/counters.ts'
import { runAfterWrite, runBeforeChangeRecord } from '../../write/save/effects.ts'
import { placeMoved } from '../../write/save/hierarchy.ts'
import { takeLock } from '../../write/save/locks.ts'
import { parkUnique } from '../../write/save/park-unique.ts'
import { saveObjects } from '../../write/save/save-objects.ts'
import { computeFields, derivedValues, isDerived } from '../../write/validate/rules.ts'
import { validateRows } from '../../write/validate/validate.ts'
import { makeWriter } from '../../write/writer.ts'
import type { RestoredValues } from '../records/recorded-row.ts'
import { type Conflict, refuseConflicts } from './conflict.ts'
import type { Difference } from './difference.ts'
import { draftOf, duplicateDrafts, refusedDrafts } from './drafts.ts'

/** The rows of a model that a difference concerns. */
interface Part {
  readonly model: Model
  /** New and changed objects. */
  readonly drafts: readonly Draft[]
  /** Rows to be deleted. */
  readonly gone: readonly StoredRow[]
}

/**
 * Gives main the state of the difference, as one batch: rows first, then derived values and effects, then the rules of
 * all models on the final state, and one change record for each object. References, positions and unique values may
 * therefore be exchanged between objects. Throws UndoConflicts if a unique value is taken or a rule refuses the state,
 * and `forbidden` as any write.
 */
export async function applyDifference(
  context: WriteContext,
  difference: Difference,
  message: string,
  occasion: 'restore' | 'create' = 'restore',
): Promise<void> {
  const { transaction } = context
  const parts = await partsOf(context, difference, message)
  if (parts.length === 0) return
  await transaction.execute(volatile`set constraints all deferred`)
  for (const { drafts, gone } of parts) {
    refuseConflicts(
      await duplicateDrafts(
        context,
        drafts,
        gone.map(({ id }) => id),
      ),
    )
  }
  for (const drafted of parts) await parkUnique(context, drafted)
  for (const { model, drafts } of parts) await saveObjects(context, model, drafts, { on: 'restore' })
  for (const { model, drafts } of parts) countRows(context, model, drafts)
  for (const { model, drafts } of parts) await placeMoved(context, model, drafts)
  for (const { model, drafts } of parts) await saveDerived(context, model, drafts)
  const deletions = await deleteRows(context, parts, difference, message)
  await transaction.execute(volatile`set constraints all immediate`)
  for (const { model, drafts } of parts) await runEffects(context, model, drafts, occasion)
  const saved = await Promise.all(parts.map((drafted) => finalChanges(context, drafted)))
  const refusals: Conflict[] = []
  for (const changes of saved) refusals.push(...(await checkFinal(context, changes)))
  refuseConflicts(refusals)
  await recordChanges(context, [...saved.flat(), ...deletions])
}

/** The rows of the models, each after those that it refers to. Locks existing rows, and checks permissions. */
async function partsOf(
  context: WriteContext,
  { created, changed, deleted }: Difference,
  message: string,
): Promise<readonly Part[]> {
  const { service, transaction } = context
  const parts: Part[] = []
  for (const model of deletionOrder(service.registry).models.toReversed()) {
    const [fresh, values, going] = [created.get(model), changed.get(model), deleted.get(model)]
    const size = (fresh?.size ?? 0) + (values?.size ?? 0) + (going?.size ?? 0)
    if (size === 0) continue
    takeLock(context, model)
    const ids = [...(values?.keys() ?? []), ...(going ?? [])]
    const stored = await loadRows(service, transaction, model, ids, { lock: true })
    const gone = stored.filter(({ id }) => going?.has(id))
    const staying = stored.filter(({ id }) => !going?.has(id))
    await requireRows(context, 'delete', model, gone)
    await requireRows(context, 'change', model, staying)
    if (fresh?.size && isGranted(model)) requirePermission(context.actor, 'add', model, service.settings)
    const empty = emptyRow(model, requestDefaults(context))
    const rows = [...(fresh ?? [])].map(([id, row]) => draftOf(model, { ...empty, ...row, id }, undefined))
    const changes = staying.map((previous) => {
      const restored = editedValues(values?.get(previous.id) ?? {}, previous)
      return draftOf(model, { ...withoutParts(model, previous), ...restored }, previous, Object.keys(restored))
    })
    const drafts = [...rows, ...changes].map((draft) => ({ ...draft, message }))
    computeFields(drafts)
    setSaveTimes(context, changes)
    context.journal.noteNamed(
      model,
      [...drafts.map(({ next }) => next), ...gone].map(({ id }) => id),
    )
    parts.push({ model, drafts, gone })
  }
  return parts
}

/** The row without lists of its parts, which effects would save again. */
const withoutParts = (model: Model, row: StoredRow): DraftRow =>
  Object.fromEntries(Object.entries(row).filter(([key]) => model.fields.get(key)?.kind !== 'computed')) as DraftRow // with its id

/** The values that are set, computed from the present ones if they are functions. */
const editedValues = (values: RestoredValues, previous: StoredRow): RestoredValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === 'function' ? value(previous[key]) : value]),
  )

/** Whether permissions name the model; rows of other models are parts of objects. */
const isGranted = (model: Model): boolean => model.has('changeLogging')

async function requireRows(
  context: WriteContext,
  action: PermissionAction,
  model: Model,
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0 || !isGranted(model)) return
  requirePermission(context.actor, action, model, context.service.settings)
  const ids = rows.map(({ id }) => id)
  if ((await selectTargets(context, action, model, ids)).length < ids.length) throw forbidden()
}

/** Changed objects have the time of this write, unless the difference restores an earlier one. */
function setSaveTimes({ now }: WriteContext, drafts: readonly Draft[]): void {
  for (const { model, next, sent } of drafts) {
    const isCopied = (key: string) => {
      const column = model.columns.get(key)
      return column !== undefined && isDerived(model, column)
    }
    if ([...sent].every(isCopied)) continue
    for (const column of model.columns.values()) {
      if (isSaveTime(column) && !sent.has(column.key)) next[column.key] = now
    }
  }
}

/** Saves the values that follow from other rows, all of which exist now. */
async function saveDerived(context: WriteContext, model: Model, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return
  const derived = await derivedValues(context, drafts)
  const rows = drafts.map(({ next }, index) => {
    const previous = { ...next, display: '' }
    return { next: Object.assign(next, derived[index]), previous }
  })
  await saveObjects(context, model, rows, { on: 'restore' })
}

/** Deletes the rows; their records are written with the others. */
async function deleteRows(
  context: WriteContext,
  parts: readonly Part[],
  { unlinked }: Difference,
  message: string,
): Promise<readonly ObjectChange[]> {
  const rows = new Map(parts.flatMap(({ model, gone }) => (gone.length > 0 ? [[model, gone] as const] : [])))
  if (rows.size === 0) return []
  const deleted = new Map([...rows].map(([model, list]) => [model, new Set(list.map(({ id }) => id))]))
  const changes: ObjectChange[] = []
  await deleteWithDependents(
    context,
    { deleted, emptied: [], unlinked, rows },
    () => message,
    async (list) => {
      changes.push(...list)
    },
  )
  return changes
}

async function runEffects(
  context: WriteContext,
  model: Model,
  drafts: readonly Draft[],
  occasion: 'restore' | 'create',
): Promise<void> {
  const created = drafts.filter(({ previous }) => !previous)
  const changed = drafts.filter(({ previous }) => previous)
  const idsOf = (list: readonly Draft[]) => list.map(({ next }) => next.id)
  await context.journal.noteCreations(model, idsOf(created))
  await runBeforeChangeRecord(context, model, occasion, created)
  await runBeforeChangeRecord(context, model, 'update', changed)
  await context.journal.describe(model, idsOf(created), 'object_created')
  await context.journal.describe(model, idsOf(changed), 'object_updated')
  await notifySubscribers(context, model, idsOf(changed), 'object_updated')
  await runAfterWrite(context, model, occasion, created)
  await runAfterWrite(context, model, 'update', changed)
  noteCustomFieldsForSearch(context, model, drafts)
}

/** The rows before and after, for change records: objects that are as they were are left out. */
async function finalChanges({ service, transaction }: WriteContext, { model, drafts }: Part) {
  const final = new Map(
    (
      await loadRows(
        service,
        transaction,
        model,
        drafts.map(({ next }) => next.id),
      )
    ).map((row) => [row.id, row]),
  )
  return drafts.flatMap(({ previous, next, message, sent }) => {
    const row = final.get(next.id)
    return row && !isSame(previous, row) ? [{ model, previous, next: row, message, sent }] : []
  })
}

const isSame = (previous: StoredRow | undefined, next: StoredRow): boolean =>
  previous !== undefined && JSON.stringify(previous) === JSON.stringify(next)

/**
 * Checks the rules of one model and the permissions for its objects, once all rows are final. Returns what the rules
 * refuse.
 */
async function checkFinal(
  context: WriteContext,
  changes: Awaited<ReturnType<typeof finalChanges>>,
): Promise<readonly Conflict[]> {
  const [first] = changes
  if (!first || !isGranted(first.model)) return []
  const { model } = first
  // A new object is compared with itself, since rules look for objects other than the stored one.
  const drafts = changes.map(({ previous, next, sent }) => draftOf(model, copyOf(next), previous ?? next, sent))
  await validateRows(context, drafts)
  const refusals = await refusedDrafts(context, drafts)
  const idsOf = (isNew: boolean) => changes.flatMap(({ previous, next }) => (!previous === isNew ? next.id : []))
  for (const [action, ids] of [['add', idsOf(true)] as const, ['change', idsOf(false)] as const]) {
    if (ids.length > 0) await requireAccess(context, action, model, ids)
  }
  return refusals
}

const copyOf = (row: StoredRow): DraftRow => ({ ...row })

/**
 * The writer for effects of an undo. Objects with change records are skipped: changes by effects have their own
 * records, which the undo handles too.
 */
export function quietWriter(context: WriteContext): Writer {
  const writer = makeWriter(context)
  const isRecorded = ({ name }: { readonly name: string }) => context.service.registry.model(name).has('changeLogging')
  return {
    create: async (model, rows) => (isRecorded(model) ? [] : await writer.create(model, rows)),
    update: async (model, rows) => {
      if (!isRecorded(model)) await writer.update(model, rows)
    },
    // Whatever stores names of fields has change records.
    renameFields: async () => undefined,
    remove: async (model, ids) => {
      if (!isRecorded(model)) await writer.remove(model, ids)
    },
  }
}
