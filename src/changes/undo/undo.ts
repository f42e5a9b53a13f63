import type { User } from '../../identity/actor.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { WriteContext, WriteRequest } from '../../write/context.ts'
import { defineCustomModels } from '../../write/define-custom-models.ts'
import type { ChangeRecord } from '../../write/record/changes.ts'
import { findLostData, type LostData } from '../../write/remove/lost-data.ts'
import { runWrite } from '../../write/run.ts'
import { applyDifference, quietWriter } from '../difference/apply-difference.ts'
import { refuseConflicts } from '../difference/conflict.ts'
import { keyOfChange, objectsTakenBack, type Undo } from '../difference/undo-plan.ts'
import { undoneDifference } from '../difference/undone-difference.ts'
import { loadChanges, type RecordedChange } from '../records/recorded-change.ts'
import type { RecordedNames } from '../records/recorded-row.ts'
import { revertEffects } from './revert-effects.ts'
import { laterChangeConflicts, missingObjectConflicts, referenceConflicts } from './undo-conflicts.ts'

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

/** What an undo has done, or would do. */
export interface Undone {
  /** Its change records. */
  readonly changes: readonly RecordedChange[]
  /** Objects and values that come back with restored types, fields and tags. They have no change records. */
  readonly returning: LostData
}

/**
 * Undoes the changes in one transaction, the latest first. Throws UndoConflicts if something prevents it, and ApiError if
 * the user may not do it; then nothing has changed.
 */
export async function undoChanges(service: Service, request: UndoRequest): Promise<Undone> {
  return await runWrite(service, request, (context) => applyUndo(context, request))
}

async function applyUndo(outer: WriteContext, { changes, message, isComplete, names }: UndoRequest): Promise<Undone> {
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
  const returning = await returningData(undo)
  const records = context.wouldChange
    ? context.wouldChange.records.map((record) => notStored(context, record))
    : await loadChanges(context.transaction, sql`t.request_id = ${context.requestId}::uuid`)
  return { changes: records, returning }
}

/** What a deletion of the restored objects would take with them. */
async function returningData({ context, changes, restored }: Undo): Promise<LostData> {
  const { registry } = context.service
  const ids = new Map<Model, Set<number>>()
  for (const change of changes) {
    if (!restored.has(keyOfChange(change))) continue
    const model = registry.model(change.type)
    ids.set(model, (ids.get(model) ?? new Set()).add(change.object_id))
  }
  const service = (await defineCustomModels(context)) ?? context.service
  return await findLostData({ ...context, service }, ids)
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
