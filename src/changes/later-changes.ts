import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { snapshotValues } from '../write/record/changelog.ts'
import { loadRows } from '../write/rows.ts'
import type { Conflict } from './conflict.ts'
import {
  type ChangeValues,
  changedNames,
  hasSameValue,
  loadChanges,
  type RecordedChange,
  valuesAfter,
  valuesBefore,
} from './recorded-change.ts'
import { keyOfChange, type Undo } from './undo-plan.ts'

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
  const own = new Set(undone.flatMap((each) => changedNames(valuesBefore(each), valuesAfter(each))))
  const touched = new Map<string, number>()
  for (const change of since) {
    for (const field of changedNames(valuesBefore(change), valuesAfter(change))) {
      if (isRemoved || own.has(field)) touched.set(field, change.id)
    }
  }
  return [...touched].flatMap(([field, cause]) => (hasSameValue(now[field], after[field]) ? [] : [{ field, cause }]))
}

/** Changes of the objects that are newer than those of the undo. */
async function laterChanges({ context, changes }: Undo): Promise<readonly RecordedChange[]> {
  const last = new Map(changes.map((change) => [keyOfChange(change), change]))
  const own = new Set(changes.map(({ id }) => id))
  const list = [...last.values()]
  const found = await loadChanges(
    context.transaction,
    sql`t.id in (
      select o.id from unnest(${list.map(({ type }) => type)}::text[],
        ${list.map(({ object_id }) => object_id)}::bigint[], ${list.map(({ id }) => id)}::bigint[])
        as q(type, object, id)
      join ${table(SYSTEM.objectChange)} o
        on o.changed_object_type = q.type and o.changed_object_id = q.object and o.id > q.id)`,
  )
  return found.filter(({ id }) => !own.has(id))
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
