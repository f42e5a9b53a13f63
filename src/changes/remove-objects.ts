import type { Referrer } from '../schema/registry.ts'
import { sql } from '../sql/fragment.ts'
import { noteNamed } from '../write/record/events.ts'
import { deleteCascade } from '../write/remove/cascade.ts'
import { objectKey } from '../write/remove/dependent-rows.ts'
import { type DependentReference, findReferences } from '../write/remove/find-dependents.ts'
import { type Conflict, refuseConflicts } from './conflict.ts'
import { lockedRows } from './locked-rows.ts'
import { loadChanges, type RecordedChange, undoDataIn, valuesAfter, valuesBefore } from './recorded-change.ts'
import { wholeRow } from './recorded-row.ts'
import { keyOfChange, type Undo, type UndoStep } from './undo-plan.ts'
import { referencesAndLists } from './undone-changes.ts'

/** Deletes objects that the changes have created. Refuses if other objects still refer to them. */
export async function removeObjects(undo: Undo, step: UndoStep): Promise<void> {
  const { context, message } = undo
  const { model } = step
  const ids = (await lockedRows(undo, 'delete', step)).map(({ id }) => id)
  // Already deleted together with another object of the undo.
  if (ids.length === 0) return
  const references = await findReferences(context, new Map([[model, new Set(ids)]]))
  const staying = references.filter(({ referrer, id }) => isStaying(undo, referrer, id))
  refuseConflicts(await referenceConflicts(undo, model.name, staying))
  noteNamed(context, model, ids)
  await deleteCascade(context, model, ids, new Map(ids.map((id) => [id, message])))
}

/**
 * Whether the referring row is an independent object that the undo does not change. Copied references and rows without
 * records do not count.
 */
const isStaying = ({ removed }: Undo, referrer: Referrer, id: number): boolean => {
  const isHidden = referrer.kind !== 'manyToMany' && 'hidden' in referrer.field && referrer.field.hidden
  return !isHidden && referrer.model.has('changeLogging') && !removed.has(objectKey(referrer.model.name, id))
}

async function referenceConflicts(
  undo: Undo,
  type: string,
  references: readonly DependentReference[],
): Promise<readonly Conflict[]> {
  if (references.length === 0) return []
  const causes = await causesOf(undo, references)
  return references.map(({ referrer, id, target }) => ({
    reason: 'referenced',
    object: { type, id: target },
    other: { type: referrer.model.name, id },
    cause: causes.get(`${objectKey(referrer.model.name, id)} ${objectKey(type, target)}`),
  }))
}

/** Ids of the latest change records in which the reference appears, by the keys of both objects. */
async function causesOf(
  { context, names }: Undo,
  references: readonly DependentReference[],
): Promise<ReadonlyMap<string, number>> {
  const changes = await loadChanges(
    context.transaction,
    sql`(t.changed_object_type, t.changed_object_id) in (
      select q.type, q.id from unnest(${references.map(({ referrer }) => referrer.model.name)}::text[],
        ${references.map(({ id }) => id)}::bigint[]) as q(type, id))`,
  )
  const causes = new Map<string, number>()
  for (const change of changes) {
    const referred = (data: 'before' | 'after') => keysIn(change, data)
    const before = new Set(referred('before'))
    for (const key of referred('after')) {
      if (!before.has(key)) causes.set(`${keyOfChange(change)} ${key}`, change.id)
    }
  }
  return causes

  function keysIn(change: RecordedChange, part: 'before' | 'after'): readonly string[] {
    const model = context.service.registry.model(change.type)
    const values = part === 'before' ? valuesBefore(change) : valuesAfter(change)
    const undo = part === 'before' ? undoDataIn(change) : { row: {} }
    return referencesAndLists(model, wholeRow(model, values, undo, names))
  }
}
