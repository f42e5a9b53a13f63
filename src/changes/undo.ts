import type { User } from '../identity/actor.ts'
import type { Writer } from '../schema/rule.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { WriteContext, WriteRequest } from '../write/context.ts'
import { snapshotValues } from '../write/record/changelog.ts'
import type { ChangeRecord } from '../write/record/changes.ts'
import { loadRows } from '../write/rows.ts'
import { runWrite } from '../write/run.ts'
import { makeWriter } from '../write/writer.ts'
import { applyDifference } from './apply-difference.ts'
import { type Conflict, refuseConflicts } from './conflict.ts'
import { missingObjectConflicts } from './missing-objects.ts'
import {
  type ChangeValues,
  changedNames,
  hasSameValue,
  loadChanges,
  type RecordedChange,
  valuesAfter,
  valuesBefore,
} from './recorded-change.ts'
import type { RecordedNames } from './recorded-row.ts'
import { revertEffects } from './revert-effects.ts'
import { objectTypeNames } from './stream/object-type-names.ts'
import { keyOfChange, objectsTakenBack, type Undo } from './undo-plan.ts'
import { referenceConflicts, undoneDifference } from './undone-difference.ts'

/** The options of an undo. */
export interface UndoRequest extends WriteRequest {
  readonly actor: User
  /** The changes to undo, the oldest first. */
  readonly changes: readonly RecordedChange[]
  /** The changes are complete: effects of the undo change no other objects. */
  readonly isComplete: boolean
  readonly message: string
  readonly names: RecordedNames
}

/**
 * Undoes the changes in one transaction, the latest first, and returns the change records of the undo. Throws
 * UndoConflicts if something prevents it, and ApiError if the user may not do it; then nothing has changed.
 */
export async function undoChanges(service: Service, request: UndoRequest): Promise<readonly RecordedChange[]> {
  return await runWrite(service, request, (context) => applyUndo(context, request))
}

async function applyUndo(
  outer: WriteContext,
  { changes, message, isComplete, names }: UndoRequest,
): Promise<readonly RecordedChange[]> {
  // Everything is checked before it is saved.
  const context: WriteContext = {
    ...outer,
    assumptions: undefined,
    makeWriter: isComplete ? quietWriter : outer.makeWriter,
  }
  const undo: Undo = {
    context,
    changes,
    message,
    names,
    removed: objectsTakenBack(changes, 'create'),
    restored: objectsTakenBack(changes, 'delete'),
  }
  refuseConflicts([...(await laterChangeConflicts(undo)), ...(await missingObjectConflicts(undo))])
  const difference = await undoneDifference(undo)
  refuseConflicts(await referenceConflicts(undo, difference))
  await applyDifference(context, difference, message)
  await revertEffects(undo)
  return context.wouldChange
    ? context.wouldChange.records.map((record) => notStored(context, record))
    : await loadChanges(context.transaction, sql`t.request_id = ${context.requestId}::uuid`)
}

/** The change record of a dry run, which has no id. */
const notStored = ({ actor, now, requestId }: WriteContext, { id, name, ...record }: ChangeRecord): RecordedChange => ({
  ...record,
  id: 0,
  time: now,
  user_id: actor.id,
  user_name: actor.username,
  request_id: requestId,
  object_id: id,
  object_repr: name,
})

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

/** Names that are needed to read change records. */
export async function recordedNames(service: Service): Promise<RecordedNames> {
  const tags = await service.database.query<{ id: number; name: string }>(
    sql`select id, name from ${table(SYSTEM.tag)}`,
  )
  return {
    types: await objectTypeNames(service),
    tags: new Map(tags.map(({ id, name }) => [name, id])),
  }
}

/** The objects of an undo that have been changed since: a conflict for each field that would lose a later value. */
async function laterChangeConflicts(undo: Undo): Promise<readonly Conflict[]> {
  const byObject = Map.groupBy(undo.changes, keyOfChange)
  const later = Map.groupBy(await laterChanges(undo), keyOfChange)
  const current = await currentValues(undo)
  return [...byObject].flatMap(([key, list]): readonly Conflict[] => {
    const [first, last] = [list[0], list.at(-1)]
    if (!first || !last) return []
    const object = { type: last.type, id: last.object_id }
    const since = later.get(key) ?? []
    const now = current.get(key)
    if (last.action === 'delete') {
      if (!now || first.action === 'create') return []
      return [{ reason: 'exists', object, cause: since.findLast(isCreation)?.id }]
    }
    if (!now) return [{ reason: 'gone', object, cause: since.findLast(isDeletion)?.id }]
    const lost = fieldsLost(list, since, now)
    return lost.map(({ field, cause }) => ({ reason: 'changed', object, field, cause }))
  })
  function isCreation({ action }: RecordedChange) {
    return action === 'create'
  }
  function isDeletion({ action }: RecordedChange) {
    return action === 'delete'
  }
}

/** The fields that the undo would revert although a later change has set them, with that change. */
function fieldsLost(
  undone: readonly RecordedChange[],
  since: readonly RecordedChange[],
  now: ChangeValues,
): readonly { readonly field: string; readonly cause: number }[] {
  const last = undone.at(-1)
  const isRemoved = undone[0]?.action === 'create'
  const after: ChangeValues = last ? valuesAfter(last) : {}
  const undoneNames = new Set(undone.flatMap((change) => changedNames(valuesBefore(change), valuesAfter(change))))
  const touched = new Map<string, number>()
  for (const change of since) {
    for (const field of changedNames(valuesBefore(change), valuesAfter(change))) {
      if (isRemoved || undoneNames.has(field)) touched.set(field, change.id)
    }
  }
  return [...touched].flatMap(([field, cause]) => (hasSameValue(now[field], after[field]) ? [] : [{ field, cause }]))
}

/** Changes of the objects that are newer than those of the undo. */
async function laterChanges({ context, changes }: Undo): Promise<readonly RecordedChange[]> {
  const last = new Map(changes.map((change) => [keyOfChange(change), change]))
  const undoneIds = new Set(changes.map(({ id }) => id))
  const list = [...last.values()]
  const later = await loadChanges(
    context.transaction,
    sql`t.id in (
      select o.id from unnest(${list.map(({ type }) => type)}::text[],
        ${list.map(({ object_id }) => object_id)}::bigint[], ${list.map(({ id }) => id)}::bigint[])
        as q(type, object, id)
      join ${table(SYSTEM.objectChange)} o
        on o.changed_object_type = q.type and o.changed_object_id = q.object and o.id > q.id)`,
  )
  return later.filter(({ id }) => !undoneIds.has(id))
}

/** The existing objects of the undo, in the form of a change record of their present state. */
async function currentValues({ context, changes }: Undo): Promise<ReadonlyMap<string, ChangeValues>> {
  const { service, transaction } = context
  const values = new Map<string, ChangeValues>()
  for (const [type, list] of Map.groupBy(changes, (change) => change.type)) {
    const model = service.registry.model(type)
    const ids = list.map(({ object_id }) => object_id)
    const rows = await loadRows(service, transaction, model, ids, { lock: true })
    const snapshots = await snapshotValues(context, model, rows)
    for (const [id, snapshot] of snapshots) values.set(`${type} ${id}`, snapshot)
  }
  return values
}
