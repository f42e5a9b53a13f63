import { TAG_PROJECTION } from '../../read/serialise/many.ts'
import { appTitleOf, titleOf } from '../../schema/class-name.ts'
import { type DerivedType, type Field, isScalar, kindOf, type NestedProjection } from '../../schema/field.ts'
import { nameAsWords } from '../../schema/fields/kind.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isRequired, isWritable } from '../../schema/writable.ts'

/** Description of one field in the response to OPTIONS. */
type FieldMetadata = Readonly<Record<string, unknown>>

/** Descriptions of the fields by name, in the order of the response. */
export function fieldsMetadata(registry: Registry, model: Model): Record<string, FieldMetadata> {
  const names = [...model.answer]
  for (const [name, field] of model.fields) {
    if ('writeOnly' in field && field.writeOnly) names.splice(placeOf(model, name, names), 0, name)
  }
  return Object.fromEntries(names.map((name) => [name, metadataOf(registry, model, name)]))
}

/** Position after the field that precedes it in the declaration. */
function placeOf(model: Model, name: string, names: readonly string[]): number {
  const declared = [...model.fields.keys()]
  const before = declared[declared.indexOf(name) - 1]
  return before === undefined ? names.length : names.indexOf(before) + 1
}

const READ_ONLY = { required: false, read_only: true }
const INDEFINITE = { type: 'field', ...READ_ONLY }
const NO_LIMIT = 9_223_372_036_854_775_807n

function metadataOf(registry: Registry, model: Model, name: string): FieldMetadata {
  if (name === 'id') {
    // NetBox declares tags elsewhere, which is visible in OPTIONS.
    return { type: 'integer', ...READ_ONLY, label: model.definition.idLabel ?? 'ID' }
  }
  const field = model.fields.get(name)
  if (!field || field.kind === 'genericForeignKey') return genericMetadata(registry, model, name)
  return {
    type: 'field',
    required: isRequired(field),
    read_only: !isWritable(field),
    label: labelOf(name, field),
    ...('help' in field && field.help !== undefined && { help_text: field.help }),
    ...kindMetadata(registry, model, name, field),
  }
}

/** `<name>_type` and `<name>_id` of a generic relation; other names without a field have no type. */
function genericMetadata(registry: Registry, model: Model, name: string): FieldMetadata {
  const { field, part } = genericPart(model, name) ?? {}
  if (!field || part === 'object') return { ...INDEFINITE, label: nameAsWords(name) }
  const isReadOnly = field.readOnly === true
  const usual = {
    required: !isReadOnly && !field.nullable,
    read_only: isReadOnly,
    label: nameAsWords(name),
  }
  if (part === 'type') {
    return {
      type: 'field',
      ...usual,
      ...(field.typeRequired && { required: true }),
      ...(field.listsTypes && { choices: typeChoices(registry.targets(field)) }),
    }
  }
  const isPlain = isReadOnly || field.resetOnPut === true
  return {
    type: 'integer',
    ...usual,
    ...(field.idLabel !== undefined && { label: field.idLabel }),
    ...(!isPlain && { min_value: 0, max_value: Number(NO_LIMIT) }),
  }
}

/** The field's label; without one, its name as words: `time_zone` becomes `Time zone`. */
const labelOf = (name: string, field: Field): string =>
  ('label' in field ? field.label : undefined) ?? nameAsWords(name)

/** Object types as choices, sorted by label. */
function typeChoices(models: Iterable<Model>) {
  const choices = [...models].map((model) => ({
    value: model.name,
    display_name: `${appTitleOf(model)} > ${titleOf(model)}`,
  }))
  return choices.sort((a, b) => (a.display_name < b.display_name ? -1 : 1))
}

const DERIVED: Readonly<Record<DerivedType, string>> = {
  text: 'string',
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'datetime',
  json: 'field',
}

/** Counts for which NetBox reports a type; it reports none for the others. */
const TYPED_COUNTS: ReadonlySet<string> = new Set([
  'cable_count',
  'count_fhrp_groups',
  'count_ipaddresses',
  'user_count',
])

/** A parent shown with its depth is described with the counts of its subtree, although they are not shown. */
function nestedProjectionOf(
  model: Model,
  name: string,
  projection: NestedProjection | undefined,
): NestedProjection | undefined {
  if (!projection?.includes('_depth') || model.definition.tree?.parent !== name) return projection
  const counts = model.nested.filter((counted) => model.fields.get(counted)?.kind === 'relatedCount')
  return [...projection, ...counts]
}

/** Type and limits of a field, by kind. */
function kindMetadata(registry: Registry, model: Model, name: string, field: Field): FieldMetadata {
  const isOpen = isWritable(field)
  if (isScalar(field) && field.kind !== 'objectType') return kindOf(field).metadata(field, name, isOpen)
  switch (field.kind) {
    case 'objectType': {
      const types = [...registry.models.values()].filter(({ definition }) => !definition.private)
      return isOpen ? { choices: typeChoices(types) } : {}
    }
    case 'foreignKey':
      return field.bare
        ? { type: 'field' }
        : nestedObject(registry, field.to, nestedProjectionOf(model, name, field.projection))
    case 'derivedKey':
      return { ...READ_ONLY, ...nestedObject(registry, field.to, field.projection) }
    case 'tags':
      return {
        child: {
          ...nestedObject(registry, SYSTEM.tag, TAG_PROJECTION),
          required: false,
          read_only: false,
        },
      }
    case 'computed': {
      if (!isOpen) return {}
      const child = itemMetadata(field.schema)
      return child ? { child } : scalarType(field.schema)
    }
    case 'counter':
      return { type: 'integer' }
    case 'relatedCount':
      return { type: field.cumulative || TYPED_COUNTS.has(name) ? 'integer' : 'field' }
    case 'derived':
      return {
        type: !field.choices && (field.isTyped ?? field.type !== 'boolean') ? DERIVED[field.type] : 'field',
        ...(field.digits !== undefined && { max_digits: field.digits }),
        ...(field.places !== undefined && { decimal_places: field.places }),
      }
    case 'reverse': {
      const object = nestedObject(registry, field.of, field.projection)
      return field.single ? object : { child: { ...object, ...READ_ONLY } }
    }
    default:
      return {}
  }
}

/** Type of a value that is read from a body and computed for responses. */
function scalarType(schema: Json): FieldMetadata {
  const type = isJsonObject(schema) ? schema.type : undefined
  return type === 'boolean' || type === 'string' ? { type } : {}
}

function nestedObject(registry: Registry, modelName: string, projection: NestedProjection | undefined): FieldMetadata {
  const model = registry.model(modelName)
  const children = (projection ?? model.nested).map((item) =>
    typeof item === 'string'
      ? ([item, metadataOf(registry, model, item)] as const)
      : ([item[0], projectedField(registry, model, ...item)] as const),
  )
  return { type: 'nested object', children: Object.fromEntries(children) }
}

/** A field with an unusual projection cannot be written in that projection either. */
function projectedField(
  registry: Registry,
  model: Model,
  name: string,
  projection: NestedProjection | 'bare',
): FieldMetadata {
  const { label, required } = metadataOf(registry, model, name)
  const field = model.fields.get(name)
  if (projection === 'bare') {
    const type = field?.kind === 'derived' ? DERIVED[field.type] : 'field'
    return { type, required, read_only: field?.kind === 'derived', label }
  }
  return field && 'to' in field
    ? { ...nestedObject(registry, field.to, projection), ...READ_ONLY, label }
    : { ...INDEFINITE, label }
}

/** Description of the items of a list of objects, derived from the list's schema; undefined for other schemas. */
function itemMetadata(schema: Json): FieldMetadata | undefined {
  const items = isJsonObject(schema) ? schema.items : undefined
  if (!isJsonObject(items) || !isJsonObject(items.properties)) return undefined
  const required = Array.isArray(items.required) ? items.required : []
  const children = Object.entries(items.properties).flatMap(([name, property]) =>
    isJsonObject(property) ? [[name, propertyMetadata(name, property, required)] as const] : [],
  )
  return {
    type: 'nested object',
    required: false,
    read_only: false,
    children: Object.fromEntries(children),
  }
}

const propertyMetadata = (
  name: string,
  { type, format, readOnly, minimum, maximum }: JsonObject,
  required: readonly Json[],
): FieldMetadata => ({
  // Ids of other objects are relations, for which no type is reported.
  type: type === 'integer' && format !== 'id' ? 'integer' : 'field',
  required: required.includes(name),
  read_only: readOnly === true,
  label: nameAsWords(name),
  ...(minimum !== undefined && { min_value: minimum }),
  ...(maximum !== undefined && { max_value: maximum }),
})
