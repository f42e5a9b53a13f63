import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { hasSameValue, loadChanges, valuesBefore } from '../records/recorded-change.ts'

/** Compares values of custom fields, which rows store by name, by the ids of the fields: names may have changed. */
export interface CustomFieldNames {
  /** Ids by the names that main has now. */
  readonly main: ReadonlyMap<string, number>
  /** Ids by all names since the branch was created. */
  readonly branch: ReadonlyMap<string, number>
  /** Names after the merge, by id. */
  readonly merged: ReadonlyMap<number, string>
  /** Defaults of the fields that only the branch has: their creation gives them to all objects. */
  readonly defaults: ReadonlyMap<number, Json>
  /** Defaults of main's fields by the names of the models that have them, for objects without values of these fields. */
  readonly ofModels: ReadonlyMap<string, JsonObject>
}

/** The custom fields of one side, and the names that they have had. */
interface StoredFields {
  readonly fields: readonly {
    readonly id: number
    readonly name: string
    readonly types: readonly string[]
    readonly default: string | null
  }[]
  readonly former: readonly (readonly [string, number])[]
}

/** The custom fields that the statements see, with the names that they have had since the time. */
export async function storedFields(queryable: Queryable, since: string): Promise<StoredFields> {
  const changes = await loadChanges(
    queryable,
    sql`t.changed_object_type = ${SYSTEM.customField} and t.action <> 'create' and t.time >= ${since}::timestamptz`,
  )
  return {
    fields: await queryable.query<StoredFields['fields'][number] & Record<string, unknown>>(
      sql`select id, name, object_types as types, "default"::text as default from ${table(SYSTEM.customField)}`,
    ),
    former: changes.map((change) => [String(valuesBefore(change).name), change.object_id]),
  }
}

/** `keptNames`: names of main, by id, of the fields whose name in the branch does not count. */
export function customFieldNames(
  main: StoredFields,
  branch: StoredFields,
  keptNames: ReadonlyMap<number, string>,
): CustomFieldNames {
  const idsIn = ({ fields }: StoredFields) => new Map(fields.map(({ id, name }) => [name, id]))
  const idsOfMain = new Set(main.fields.map(({ id }) => id))
  const idsOfBranch = new Set(branch.fields.map(({ id }) => id))
  const defaultsByType = main.fields.flatMap(
    ({ id, name, types, default: text }) =>
      text === null || !idsOfBranch.has(id)
        ? []
        : types.map((type) => [type, [name, JSON.parse(text) as Json]] as const), // a JSON column
  )
  return {
    main: idsIn(main),
    branch: new Map([...idsIn(main), ...main.former, ...branch.former, ...idsIn(branch)]),
    merged: new Map([...branch.fields.map(({ id, name }) => [id, name] as const), ...keptNames]),
    defaults: new Map(
      branch.fields.flatMap(
        ({ id, default: text }) => (idsOfMain.has(id) || text === null ? [] : [[id, JSON.parse(text) as Json]]), // a JSON column
      ),
    ),
    ofModels: new Map(
      [...Map.groupBy(defaultsByType, ([type]) => type)].map(([type, list]) => [
        type,
        Object.fromEntries(list.map(([, entry]) => entry)),
      ]),
    ),
  }
}

/** A custom field of an object in three states. */
export interface CustomValue {
  /** The name after the merge, or the one that the values have if the field is unknown. */
  readonly name: string
  readonly id: number | undefined
  readonly base: Json
  readonly main: Json
  readonly branch: Json
}

/** The custom fields whose values the branch has changed. */
export function changedCustomValues(
  names: CustomFieldNames,
  { base, main, branch }: Readonly<Record<'base' | 'main' | 'branch', Json | undefined>>,
): readonly CustomValue[] {
  const [baseFields, branchFields] = [byField(names.branch, base), byField(names.branch, branch)]
  const mainFields = byField(names.main, main)
  return [...new Set([...baseFields.keys(), ...branchFields.keys()])].flatMap((key) => {
    const [baseValue, branchValue] = [baseFields.get(key)?.value ?? null, branchFields.get(key)?.value ?? null]
    const id = typeof key === 'number' ? key : undefined
    if (
      hasSameValue(baseValue, branchValue) ||
      (id !== undefined && hasSameValue(names.defaults.get(id) ?? baseValue, branchValue))
    )
      return []
    // Users clear values; only a change of the field itself removes them, also on main.
    if (id !== undefined && !branchFields.has(key)) return []
    const name =
      (id !== undefined && names.merged.get(id)) || (branchFields.get(key) ?? baseFields.get(key))?.name || ''
    return [{ name, id, base: baseValue, main: mainFields.get(key)?.value ?? null, branch: branchValue }]
  })
}

type Named = { readonly name: string; readonly value: Json }

const byField = (ids: ReadonlyMap<string, number>, values: Json | undefined): ReadonlyMap<number | string, Named> =>
  new Map(
    Object.entries(isJsonObject(values) ? values : {}).map(([name, value]) => [ids.get(name) ?? name, { name, value }]),
  )

/**
 * The values of a new object with the present names of their fields, and the defaults of fields that main has since its
 * creation.
 */
export const valuesOnMain = (names: CustomFieldNames, model: string, values: JsonObject): JsonObject => {
  const present = new Map([...names.main].map(([name, id]) => [id, name]))
  const renamed = Object.entries(values).map(([name, value]) => {
    const id = names.branch.get(name)
    return [(id !== undefined && (names.merged.get(id) ?? present.get(id))) || name, value] as const
  })
  return { ...names.ofModels.get(model), ...Object.fromEntries(renamed) }
}
