import { isDeepStrictEqual } from 'node:util'
import { invalid, isJsonObject, type Json, type JsonObject, objectsIn } from 'cadastre'
import type { CustomModel } from 'cadastre/models/custom-models/custom-models'
import { customObjectField } from 'cadastre/models/custom-models/custom-object-field'
import { customObjectType } from 'cadastre/models/custom-models/custom-object-type'
import { columnOf } from 'cadastre/models/custom-models/value-field'

/** A change of a field, as the portable schema of custom objects describes it. */
interface FieldChange {
  readonly op: 'add' | 'remove' | 'alter'
  readonly schema_id: number
  readonly db_name: string | null
  readonly schema_def: JsonObject
  readonly changed_attrs?: readonly string[]
}

/** The difference between a type of a document and the stored one. */
export interface TypeDifference {
  readonly slug: string
  readonly name: string
  readonly is_new: boolean
  readonly has_changes: boolean
  readonly has_destructive_changes: boolean
  readonly cot_changes: Readonly<Record<string, readonly [Json, Json]>>
  readonly field_changes: readonly FieldChange[]
  readonly warnings: readonly string[]
}

/** A type of a document. */
export interface DocumentType {
  readonly document: JsonObject
  readonly slug: string
  readonly name: string
  readonly fields: readonly JsonObject[]
  readonly removed: readonly JsonObject[]
}

const TYPE_ATTRIBUTES = [
  ...['name', 'version', 'verbose_name', 'verbose_name_plural', 'description', 'group_name', 'display_expression'],
  ...['unique_together', 'ordering', 'menu_section', 'icon'],
] as const

const FIELD_ATTRIBUTES = [
  ...['name', 'label', 'type', 'description', 'group_name', 'primary', 'context', 'required', 'unique', 'default'],
  ...['weight', 'search_weight', 'filter_logic', 'ui_visible', 'ui_editable', 'is_cloneable', 'deprecated'],
  ...['deprecated_since', 'scheduled_removal', 'validation_regex', 'validation_minimum', 'validation_maximum'],
  ...['related_object_filter', 'related_name', 'is_polymorphic', 'on_delete_behavior'],
] as const

/** Value of an attribute that a document does not name. */
const defaultOf = (fields: Readonly<Record<string, object>>, name: string): Json => {
  const field = fields[name]
  return field && 'default' in field ? ((field.default ?? null) as Json) : null // defaults are JSON
}

/** The types of a document `{schema_version: "1", types: […]}`. Throws `invalid` if it has another form. */
export function readSchema(document: unknown): readonly DocumentType[] {
  if (!isJsonObject(document) || document.schema_version !== '1') {
    throw invalid({ schema_version: ['Expected a document with the schema_version "1".'] })
  }
  if (!Array.isArray(document.types)) throw invalid({ types: ['Expected a list of types.'] })
  return document.types.map((type, position) => {
    const at = (problem: string) => invalid({ types: [`Type ${position + 1}: ${problem}`] })
    if (!isJsonObject(type) || typeof type.slug !== 'string' || typeof type.name !== 'string') {
      throw at('"name" and "slug" are required.')
    }
    const [fields, removed] = [objectsIn(type.fields), objectsIn(type.removed_fields)]
    if (!Array.isArray(type.fields)) throw at('"fields" must be a list.')
    const ids = [...fields, ...removed].map(({ id }) => id)
    if (!ids.every((id) => Number.isSafeInteger(id) && Number(id) > 0)) throw at('Every field needs an "id" above 0.')
    if (new Set(ids).size < ids.length) throw at('Two fields have the same "id".')
    return { document: type, slug: type.slug, name: type.name, fields, removed }
  })
}

/** The stored values of a field in the form of a document. */
function storedField(row: CustomModel['fields'][number]['row'], choiceSets: ReadonlyMap<number, string>): JsonObject {
  const attributes = FIELD_ATTRIBUTES.map((name) => [name, row[name] as Json] as const) // columns with JSON values
  const target = (value: unknown) => (isJsonObject(value) ? `${value.app_label}/${value.model}` : null)
  return {
    ...Object.fromEntries(attributes),
    ...(row.choice_set !== null && { choice_set: choiceSets.get(row.choice_set) ?? null }),
    ...(row.related_object_type !== null && { related_object_type: target(row.related_object_type) }),
    ...(row.is_polymorphic && { related_object_types: objectsIn(row.related_object_types as Json).map(target) }),
  }
}

const numbers: ReadonlySet<string> = new Set(['validation_minimum', 'validation_maximum'])

const isSame = (name: string, left: Json | undefined, right: Json | undefined): boolean =>
  numbers.has(name) && left != null && right != null
    ? Number(left) === Number(right)
    : isDeepStrictEqual(left ?? null, right ?? null)

const REFERENCES = ['choice_set', 'related_object_type', 'related_object_types']

/** What a document would change of a stored type; undefined: there is none yet. */
export function differenceOf(
  declared: DocumentType,
  stored: CustomModel | undefined,
  context: { readonly choiceSets: ReadonlyMap<number, string>; readonly targetOf: (target: Json) => Json },
): TypeDifference {
  const changed = TYPE_ATTRIBUTES.flatMap((name) => {
    const before = stored ? ((stored.type[name] as Json) ?? null) : null // columns with JSON values
    const after = declared.document[name] ?? defaultOf(customObjectType.fields, name)
    return stored && !isSame(name, before, after) ? [[name, [before, after]] as const] : []
  })
  const column = (row: CustomModel['fields'][number]['row']) => (stored ? columnOf(row, stored.type) : null)
  const byId = new Map((stored?.fields ?? []).map(({ row }) => [row.schema_id, row]))
  const changes = declared.fields.flatMap((field): readonly FieldChange[] => {
    const row = byId.get(Number(field.id))
    const base = { schema_id: Number(field.id), schema_def: field }
    if (!row) return [{ op: 'add', db_name: null, ...base }]
    const before = storedField(row, context.choiceSets)
    const attributes = [...FIELD_ATTRIBUTES, ...REFERENCES].filter((name) => {
      const after = field[name] ?? defaultOf(customObjectField.fields, name)
      return REFERENCES.includes(name)
        ? !isDeepStrictEqual(before[name] ?? null, references(field[name] ?? null, name, context.targetOf))
        : !isSame(name, before[name], after)
    })
    return attributes.length === 0 ? [] : [{ op: 'alter', db_name: column(row), ...base, changed_attrs: attributes }]
  })
  const removals = declared.removed.flatMap((field): readonly FieldChange[] => {
    const row = byId.get(Number(field.id))
    return row ? [{ op: 'remove', schema_id: row.schema_id, db_name: column(row), schema_def: field }] : []
  })
  const inDocument = new Set([...declared.fields, ...declared.removed].map(({ id }) => Number(id)))
  const unlisted = [...byId.values()].filter(({ schema_id }) => !inDocument.has(schema_id))
  return {
    ...{ slug: declared.slug, name: declared.name, is_new: stored === undefined },
    has_changes: stored === undefined || changed.length + changes.length + removals.length > 0,
    has_destructive_changes: removals.length > 0,
    cot_changes: Object.fromEntries(changed),
    field_changes: [...changes, ...removals],
    warnings: unlisted.map(({ name }) => `The field ${name} is not in the document; it is left unchanged.`),
  }
}

const references = (value: Json, name: string, targetOf: (target: Json) => Json): Json => {
  if (name === 'choice_set') return value
  return Array.isArray(value) ? value.map(targetOf) : value === null ? null : targetOf(value)
}

/** The body of a field for the API: with names of targets and of the choice set instead of the document's forms. */
export function fieldBody(field: JsonObject, type: number): JsonObject {
  const { id, choice_set, related_object_type, related_object_types, ...values } = field
  const attributes = FIELD_ATTRIBUTES.map((name) => [name, values[name] ?? defaultOf(customObjectField.fields, name)])
  return {
    ...Object.fromEntries(attributes),
    custom_object_type: type,
    schema_id: id ?? 0,
    choice_set: typeof choice_set === 'string' ? { name: choice_set } : null,
    related_object_type: targetBody(related_object_type ?? null),
    related_object_types: objectsOrTexts(related_object_types).map(targetBody),
  }
}

const objectsOrTexts = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const targetBody = (target: Json): Json => {
  if (typeof target !== 'string') return null
  const [app_label = '', model = ''] = target.split('/')
  return { app_label, model }
}

/** The attributes of a type for the API. */
export const typeBody = ({ document, slug }: DocumentType): JsonObject => ({
  ...Object.fromEntries(
    TYPE_ATTRIBUTES.map((name) => [name, document[name] ?? defaultOf(customObjectType.fields, name)]),
  ),
  slug,
})
