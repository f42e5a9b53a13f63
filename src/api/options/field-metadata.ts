import { TAG_PROJECTION } from '../../read/serialise/many.ts'
import { appTitleOf, titleOf } from '../../schema/class-name.ts'
import { isStored } from '../../schema/column.ts'
import {
  type DerivedType,
  type Field,
  isScalar,
  type NestedProjection,
  kindOf as scalarKindOf,
} from '../../schema/field.ts'
import { nameAsWords } from '../../schema/fields/kind.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isRequired, isWritable } from '../../schema/writable.ts'
import { itemMetadata } from './item-metadata.ts'

/** Description of one field in the response to OPTIONS. */
export type FieldMetadata = Readonly<Record<string, unknown>>

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
    // The reference declares tags elsewhere, which is visible in OPTIONS.
    return { type: 'integer', ...READ_ONLY, label: model.definition.idLabel ?? 'ID' }
  }
  const field = model.fields.get(name)
  if (field?.kind === 'genericForeignKey') return { ...INDEFINITE, label: labelOf(name, undefined) }
  if (!field)
    return (
      genericMetadata(registry, model, name) ?? { ...INDEFINITE, label: labelOf(name, undefined) }
    )
  return {
    type: 'field',
    required: isRequired(field),
    read_only: !isShownWritable(field),
    label: labelOf(name, field),
    ...('help' in field && field.help !== undefined && { help_text: field.help }),
    ...kindOf(registry, model, name, field),
  }
}

const isShownWritable = (field: Field): boolean =>
  (isStored(field) ||
    field.kind === 'manyToMany' ||
    field.kind === 'tags' ||
    field.kind === 'customFields' ||
    field.kind === 'computed') &&
  isWritable(field)

/** `<name>_type` and `<name>_id` of a generic relation. */
function genericMetadata(
  registry: Registry,
  model: Model,
  name: string,
): FieldMetadata | undefined {
  const { field, part } = genericPart(model, name) ?? {}
  if (!field || part === 'object') return undefined
  const isReadOnly = field.readOnly === true
  const usual = {
    required: !isReadOnly && !field.nullable,
    read_only: isReadOnly,
    label: labelOf(name, undefined),
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
function labelOf(name: string, field: Field | undefined): string {
  if (field && 'label' in field && field.label !== undefined) return field.label
  return nameAsWords(name)
}

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
  dateTime: 'datetime',
  json: 'field',
}

/** Counts for which the reference reports a type; it reports none for the others. */
const TYPED_COUNTS: ReadonlySet<string> = new Set([
  'cable_count',
  'count_fhrp_groups',
  'count_ipaddresses',
  'user_count',
])

/** A parent shown with its depth is described with the counts of its subtree, which are not shown. */
function nestedProjectionOf(
  model: Model,
  name: string,
  projection: NestedProjection | undefined,
): NestedProjection | undefined {
  if (!projection?.includes('_depth') || model.definition.tree?.parent !== name) return projection
  const counts = model.nested.filter(
    (counted) => model.fields.get(counted)?.kind === 'relatedCount',
  )
  return [...projection, ...counts]
}

/** Type and limits of a field, by kind. */
function kindOf(registry: Registry, model: Model, name: string, field: Field): FieldMetadata {
  const isOpen = isShownWritable(field)
  if (isScalar(field) && field.kind !== 'objectType')
    return scalarKindOf(field).metadata(field, name, isOpen)
  switch (field.kind) {
    case 'objectType': {
      const types = [...registry.models.values()].filter(({ definition }) => !definition.private)
      return isOpen ? { choices: typeChoices(types) } : {}
    }
    case 'foreignKey':
      return field.bare
        ? { type: 'field' }
        : nestedObject(
            registry,
            registry.model(field.to),
            nestedProjectionOf(model, name, field.projection),
          )
    case 'derivedKey':
      return { ...READ_ONLY, ...nestedObject(registry, registry.model(field.to), field.projection) }
    case 'tags':
      return {
        child: {
          ...nestedObject(registry, registry.model(SYSTEM.tag), TAG_PROJECTION),
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
        type:
          !field.choices && (field.isTyped ?? field.type !== 'boolean')
            ? DERIVED[field.type]
            : 'field',
        ...(field.digits !== undefined && { max_digits: field.digits }),
        ...(field.places !== undefined && { decimal_places: field.places }),
      }
    case 'reverse': {
      const object = nestedObject(registry, registry.model(field.of), field.projection)
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

function nestedObject(
  registry: Registry,
  model: Model,
  projection: NestedProjection | undefined,
): FieldMetadata {
  return {
    type: 'nested object',
    children: Object.fromEntries(
      (projection ?? model.nested).map((item) => {
        const [name, inner] = typeof item === 'string' ? [item] : item
        const usual = metadataOf(registry, model, name)
        return [
          name,
          inner === undefined ? usual : projectedField(registry, model, usual, name, inner),
        ]
      }),
    ),
  }
}

/** A field with an unusual projection cannot be written in that projection either. */
function projectedField(
  registry: Registry,
  model: Model,
  { label, required }: FieldMetadata,
  name: string,
  projection: NestedProjection | 'bare',
): FieldMetadata {
  const field = model.fields.get(name)
  if (projection === 'bare') {
    const type = field?.kind === 'derived' ? DERIVED[field.type] : 'field'
    return { type, required, read_only: field?.kind === 'derived', label }
  }
  const to = field && 'to' in field ? registry.model(field.to) : undefined
  return to
    ? { ...nestedObject(registry, to, projection), ...READ_ONLY, label }
    : { ...INDEFINITE, label }
}
