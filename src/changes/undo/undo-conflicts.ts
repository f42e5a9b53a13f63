import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { snapshotValues } from '../../write/record/changelog.ts'
import { objectKey } from '../../write/related-object.ts'
import type { DependentReference } from '../../write/remove/find-dependents.ts'
import { loadRows } from '../../write/rows.ts'
import type { Conflict } from '../difference/conflict.ts'
import { type Difference, remainingReferences } from '../difference/difference.ts'
import { deletionsOf, missingKeys, referenceOf } from '../difference/missing-objects.ts'
import { keyOfChange, type Undo } from '../difference/undo-plan.ts'
import { referencesAndLists } from '../difference/undone-changes.ts'
import { followDeletion, isIndependent } from '../difference/undone-difference.ts'
import {
  type ChangeValues,
  changedNames,
  hasSameValue,
  loadChanges,
  type RecordedChange,
  undoDataIn,
  valuesAfter,
  valuesBefore,
} from '../records/recorded-change.ts'
import { wholeRow } from '../records/recorded-row.ts'

/** The objects of an undo that have been changed since: a conflict for each field that would lose a later value. */
export async function laterChangeConflicts(undo: Undo): Promise<readonly Conflict[]> {
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

/** Later changes of the objects whose changes are undone. */
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

/** The objects to which restored ones refer and that do not exist: a conflict for each reference. */
export async function missingObjectConflicts(undo: Undo): Promise<readonly Conflict[]> {
  const { context, changes, restored, names } = undo
  const required = changes.flatMap((change) => {
    const model = context.service.registry.model(change.type)
    if (!restored.has(keyOfChange(change)) || change.action !== 'delete') return []
    const row = wholeRow(model, valuesBefore(change), undoDataIn(change), names)
    return referencesAndLists(model, row).map((key) => ({ change, key }))
  })
  const missing = await missingKeys(
    context,
    required.flatMap(({ key }) => (restored.has(key) ? [] : [key])),
  )
  const lost = required.filter(({ key }) => missing.has(key) && isRecorded(context, key))
  const causes = await deletionsOf(context, [...new Set(lost.map(({ key }) => key))])
  return lost.map(({ change, key }) => ({
    reason: 'missing',
    object: { type: change.type, id: change.object_id },
    other: referenceOf(key),
    cause: causes.get(key)?.id,
  }))
}

const isRecorded = ({ service }: WriteContext, key: string): boolean =>
  service.registry.models.get(referenceOf(key).type)?.has('changeLogging') === true

/**
 * The references that prevent the deletion of objects: those from independent objects that the difference leaves as
 * they are. Clears copied references, and adds rows without change records to those to be deleted.
 */
export async function referenceConflicts(undo: Undo, difference: Difference): Promise<readonly Conflict[]> {
  const references = await remainingReferences(undo.context, difference)
  const staying = references.filter(({ referrer }) => isIndependent(referrer))
  for (const reference of references) if (!isIndependent(reference.referrer)) followDeletion(difference, reference)
  const causes = await causesOf(undo, staying)
  return staying.map(({ referrer, id, target, to }) => ({
    reason: 'referenced',
    object: { type: to.name, id: target },
    other: { type: referrer.model.name, id },
    cause: causes.get(`${objectKey(referrer.model.name, id)} ${objectKey(to.name, target)}`),
  }))
}

/** Ids of the latest change records in which the reference appears, by the keys of both objects. */
async function causesOf(
  { context, names }: Undo,
  references: readonly DependentReference[],
): Promise<ReadonlyMap<string, number>> {
  if (references.length === 0) return new Map()
  const changes = await loadChanges(
    context.transaction,
    sql`(t.changed_object_type, t.changed_object_id) in (
      select q.type, q.id from unnest(${references.map(({ referrer }) => referrer.model.name)}::text[],
        ${references.map(({ id }) => id)}::bigint[]) as q(type, id))`,
  )
  const causes = new Map<string, number>()
  for (const change of changes) {
    const model = context.service.registry.model(change.type)
    const before = referencesAndLists(model, wholeRow(model, valuesBefore(change), undoDataIn(change), names))
    const after = referencesAndLists(model, wholeRow(model, valuesAfter(change), { row: {} }, names))
    for (const key of after) if (!before.includes(key)) causes.set(`${keyOfChange(change)} ${key}`, change.id)
  }
  return causes
}
