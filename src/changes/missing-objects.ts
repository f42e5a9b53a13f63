import type { Model } from '../schema/registry.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { WriteContext } from '../write/context.ts'
import { type ObjectReference, objectKey } from '../write/related-object.ts'
import type { Conflict } from './conflict.ts'
import { loadChanges, type RecordedChange, undoDataIn, valuesBefore } from './recorded-change.ts'
import { type RestoredValues, wholeRow } from './recorded-row.ts'
import { keyOfChange, type Undo } from './undo-plan.ts'
import { referencesAndLists } from './undone-changes.ts'

/** The keys whose objects do not exist: one statement for each model. */
export async function missingObjectConflicts(undo: Undo): Promise<readonly Conflict[]> {
  const { context, changes, restored, names } = undo
  const wanted = changes.flatMap((change) => {
    const model = context.service.registry.model(change.type)
    if (!restored.has(keyOfChange(change)) || change.action !== 'delete') return []
    const row = wholeRow(model, valuesBefore(change), undoDataIn(change), names)
    return referencesAndLists(model, row).map((key) => ({ change, key }))
  })
  const missing = await missingKeys(
    context,
    wanted.flatMap(({ key }) => (restored.has(key) ? [] : [key])),
  )
  const lost = wanted.filter(({ key }) => missing.has(key) && isRecorded(context, key))
  const causes = await deletionsOf(context, [...new Set(lost.map(({ key }) => key))])
  return lost.map(({ change, key }) => ({
    reason: 'missing',
    object: { type: change.type, id: change.object_id },
    other: referenceOf(key),
    cause: causes.get(key)?.id,
  }))
}

/** Those of the keys whose objects do not exist: one statement for each model. */
export async function missingKeys(
  { service, transaction }: WriteContext,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = new Set(keys)
  for (const [type, list] of Map.groupBy(new Set(keys), (key) => referenceOf(key).type)) {
    const model = service.registry.models.get(type)
    if (!model) continue
    const ids = list.map((key) => referenceOf(key).id)
    const existing = await transaction.query<{ id: number }>(
      sql`select id from ${table(model)} where id = any(${ids}::bigint[])`,
    )
    for (const { id } of existing) missing.delete(objectKey(type, id))
  }
  return missing
}

/**
 * The row without references to objects that do not exist and cannot be restored, such as users: cleared if the model
 * allows it. Undefined if the model does not allow it.
 */
export function withoutMissing(
  model: Model,
  row: RestoredValues,
  missing: ReadonlySet<string>,
): RestoredValues | undefined {
  const cleared: Record<string, unknown> = { ...row }
  for (const [name, field] of model.fields) {
    const value = row[name]
    if (field.kind === 'foreignKey' && typeof value === 'number') {
      if (!missing.has(objectKey(field.to, value))) continue
      if (!field.nullable) return undefined
      cleared[name] = null
    } else if (field.kind === 'manyToMany' && Array.isArray(value)) {
      cleared[name] = value.filter((id) => !missing.has(objectKey(field.to, Number(id))))
    }
  }
  return cleared
}

const isRecorded = ({ service }: WriteContext, key: string): boolean =>
  service.registry.models.get(referenceOf(key).type)?.has('changeLogging') === true

/** The object with a key. */
export function referenceOf(key: string): ObjectReference {
  const [type = '', id] = key.split(' ')
  return { type, id: Number(id) }
}

/** The latest change records of the objects' deletions, by key. */
export async function deletionsOf(
  { transaction }: WriteContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RecordedChange>> {
  if (keys.length === 0) return new Map()
  const objects = keys.map(referenceOf)
  const deletions = await loadChanges(
    transaction,
    sql`t.action = 'delete' and (t.changed_object_type, t.changed_object_id) in (
      select q.type, q.id from unnest(${objects.map(({ type }) => type)}::text[],
        ${objects.map(({ id }) => id)}::bigint[]) as q(type, id))`,
  )
  return new Map(deletions.map((change) => [keyOfChange(change), change]))
}
