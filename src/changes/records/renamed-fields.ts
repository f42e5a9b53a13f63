import { isJsonObject, type JsonObject, parseJson } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { RecordedChange } from './recorded-change.ts'

/** A change of the name of a field of a custom model. */
interface Renaming extends Record<string, unknown> {
  /** Id of its change record. */
  readonly id: number
  /** Name of the model that has the field. */
  readonly model: string
  readonly kind: string
  readonly before: string
  readonly after: string
}

/** The change records with the present names of fields that users have renamed since then, so that undos find them. */
export async function withPresentNames(
  queryable: Queryable,
  changes: readonly RecordedChange[],
): Promise<RecordedChange[]> {
  if (changes.length === 0) return []
  const models = [...new Set(changes.map(({ type }) => type))]
  const renamings = await queryable.query<Renaming>(sql`
    select t.id, o.object_type_name as model, t.postchange_data ->> 'type' as kind,
      t.prechange_data ->> 'name' as before, t.postchange_data ->> 'name' as after
    from ${table(SYSTEM.objectChange)} t
    join ${table(SYSTEM.customObjectField)} f on f.id = t.changed_object_id
    join ${table(SYSTEM.customObjectType)} o on o.id = f.custom_object_type_id
    where t.changed_object_type = ${SYSTEM.customObjectField} and t.action = 'update'
      and t.prechange_data ->> 'name' <> t.postchange_data ->> 'name' and o.object_type_name = any(${models}::text[])
    order by t.id`)
  return changes.map((change) => {
    const later = renamings.filter(({ id, model }) => model === change.type && id > change.id)
    return later.length === 0 ? change : renamed(change, later)
  })
}

function renamed(change: RecordedChange, renamings: readonly Renaming[]): RecordedChange {
  const names = new Map<string, string>()
  for (const { kind, before, after } of renamings) {
    const present = partsOf(kind, after)
    for (const [index, part] of partsOf(kind, before).entries()) {
      const first = [...names].find(([, name]) => name === part)?.[0] ?? part
      names.set(first, present[index] ?? part)
    }
  }
  const ofValues = (text: string | null): string | null =>
    text === null ? null : JSON.stringify(withNames(parseJson(text) as JsonObject, names)) // a snapshot
  const undo = change.undo === null ? undefined : (parseJson(change.undo) as JsonObject) // an object too
  return {
    ...change,
    before: ofValues(change.before),
    after: ofValues(change.after),
    ...(isJsonObject(undo?.row) && { undo: JSON.stringify({ ...undo, row: withNames(undo.row, names) }) }),
  }
}

const withNames = (values: JsonObject, names: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]))

/** The names under which objects have the values of a field of a custom model. */
function partsOf(kind: string, name: string): readonly string[] {
  if (kind === 'coordinates') return [`${name}_latitude`, `${name}_longitude`]
  return kind === 'url' ? [name, `${name}_title`] : [name]
}
