import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { type ObjectReference, objectKey } from '../../write/related-object.ts'
import { loadChanges, type RecordedChange } from '../records/recorded-change.ts'
import type { RestoredValues } from '../records/recorded-row.ts'
import { keyOfChange } from './undo-plan.ts'

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
