import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { loadChanges, valuesBefore } from '../records/recorded-change.ts'
import type { States } from './cells.ts'

/** The custom fields of both sides. Rows store their values by name, and names may have changed, so ids are compared. */
export interface CustomFields {
  /** Ids by the names that main has now. */
  readonly main: ReadonlyMap<string, number>
  /** Ids by all names since the branch was created. */
  readonly branch: ReadonlyMap<string, number>
  /** Names after the merge, by id. */
  readonly merged: ReadonlyMap<number | string, string>
  /** Defaults of the fields that only the branch has: their creation gives them to all objects. */
  readonly defaults: ReadonlyMap<number | string, Json>
  /** Defaults of main's fields by the names of the models that have them, for objects without values of these fields. */
  readonly ofModels: ReadonlyMap<string, JsonObject>
}

/** The custom fields of one side, and the names that they have had. */
interface StoredFields {
  readonly fields: readonly {
    readonly id: number
    readonly name: string
    readonly types: readonly string[]
    readonly default: Json
  }[]
  readonly former: readonly (readonly [string, number])[]
}

/** The custom fields that the statements see, with the names that they have had since the time. */
export async function storedFields(queryable: Queryable, since: string): Promise<StoredFields> {
  const changes = await loadChanges(
    queryable,
    sql`t.changed_object_type = ${SYSTEM.customField} and t.action <> 'create' and t.time >= ${since}::timestamptz`,
  )
  const fields = await queryable.query<{ id: number; name: string; types: string[]; default: string | null }>(
    sql`select id, name, object_types as types, "default"::text as default from ${table(SYSTEM.customField)}`,
  )
  return {
    fields: fields.map((field) => ({ ...field, default: JSON.parse(field.default ?? 'null') as Json })), // a JSON column
    former: changes.map((change) => [String(valuesBefore(change).name), change.object_id]),
  }
}

/** `keptNames`: names of main, by id, of the fields whose name in the branch does not count. */
export function customFieldsOf(
  main: StoredFields,
  branch: StoredFields,
  keptNames: ReadonlyMap<number, string>,
): CustomFields {
  const idsIn = ({ fields }: StoredFields) => fields.map(({ id, name }) => [name, id] as const)
  const namesIn = ({ fields }: StoredFields) => fields.map(({ id, name }) => [id, name] as const)
  const onMain = new Map(namesIn(main))
  const inBranch = new Map(namesIn(branch))
  const defaultsByType = main.fields.flatMap(({ id, name, types, default: value }) =>
    value === null || !inBranch.has(id) ? [] : types.map((type) => ({ type, entry: [name, value] as const })),
  )
  return {
    main: new Map(idsIn(main)),
    branch: new Map([...idsIn(main), ...main.former, ...branch.former, ...idsIn(branch)]),
    merged: new Map([...onMain, ...inBranch, ...keptNames]),
    defaults: new Map(branch.fields.flatMap((field) => (onMain.has(field.id) ? [] : [[field.id, field.default]]))),
    ofModels: new Map(
      [...Map.groupBy(defaultsByType, ({ type }) => type)].map(([type, list]) => [
        type,
        Object.fromEntries(list.map(({ entry }) => entry)),
      ]),
    ),
  }
}

/**
 * The custom fields of an object, with the names after the merge. Users clear values; only a change of the field itself
 * removes them, also on main, so that fields that the branch's object lacks are left out.
 */
export function customValues(
  { main, branch, merged, defaults }: CustomFields,
  states: States,
): readonly (States & { readonly name: string })[] {
  const byField = (ids: ReadonlyMap<string, number>, values: Json) =>
    new Map(entriesOf(values).map(([name, value]) => [ids.get(name) ?? name, { name, value }] as const))
  const [ofBase, ofMain] = [byField(branch, states.base), byField(main, states.main)]
  return [...byField(branch, states.branch)].map(([field, { name, value }]) => ({
    name: merged.get(field) ?? name,
    base: defaults.get(field) ?? ofBase.get(field)?.value ?? null,
    main: defaults.get(field) ?? ofMain.get(field)?.value ?? null,
    branch: value,
  }))
}

/** The values of a new object with the names after the merge, and the defaults of fields that main has since its creation. */
export const valuesOnMain = (
  { branch, merged, ofModels }: CustomFields,
  model: string,
  values: JsonObject,
): JsonObject => ({
  ...ofModels.get(model),
  ...Object.fromEntries(
    entriesOf(values).map(([name, value]) => [merged.get(branch.get(name) ?? name) ?? name, value]),
  ),
})

const entriesOf = (values: Json) => Object.entries(isJsonObject(values) ? values : {})

/** Applies the branch's changes to the current values of custom fields; null removes a value. */
export const editCustomValues =
  (changes: Readonly<Record<string, Json>>) =>
  (present: unknown): unknown => {
    const values = isJsonObject(present) ? present : {}
    return { ...values, ...changes }
  }
