import { WrongValue } from '../schema/fields/kind.ts'
import { isJsonObject, type Json } from '../schema/json.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'

/** The type of a custom field, and the model of the objects that are its values. */
export interface CustomFieldType {
  readonly type: string
  readonly relatedType?: string | undefined
}

/** Types of custom fields by name. */
export type CustomFieldTypes = ReadonlyMap<string, CustomFieldType>

export async function loadCustomFieldTypes(database: Queryable): Promise<CustomFieldTypes> {
  const rows = await database.query<{ name: string; type: string; related: string | null }>(
    sql`select name, type, related_object_type as related from ${table(SYSTEM.customField)}`,
  )
  return new Map(rows.map(({ name, type, related }) => [name, { type, relatedType: related ?? undefined }]))
}

/** Values as stored: related objects by id. */
export function parseImportedCustomFields(
  value: Json | undefined,
  types: CustomFieldTypes,
): Readonly<Record<string, Json>> {
  if (value === null || value === undefined) return {}
  if (!isJsonObject(value)) throw new WrongValue('values by name are expected')
  const stored: Record<string, Json> = {}
  for (const [name, rendered] of Object.entries(value)) {
    const type = types.get(name)?.type
    if (type === undefined && rendered !== null) throw new WrongValue(`no custom field is named ${name}`)
    if (type !== undefined) stored[name] = rendered === null ? null : (CONVERSIONS[type]?.(rendered) ?? rendered)
  }
  return stored
}

const idOf = (value: Json): Json => (isJsonObject(value) ? (value.id ?? null) : value)
const choiceOf = (value: Json): Json => (isJsonObject(value) ? (value.value ?? null) : value)

/** Conversions for types whose values look different in responses. */
const CONVERSIONS: Readonly<Record<string, (value: Json) => Json>> = {
  object: idOf,
  multiobject: (value) => (Array.isArray(value) ? value.map(idOf) : value),
  select: choiceOf,
  multiselect: (value) => (Array.isArray(value) ? value.map(choiceOf) : value),
}
