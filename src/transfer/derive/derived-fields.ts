import { isJsonObject, type Json, type JsonObject, objectsIn, ownValue, stringsIn } from '../../schema/json.ts'
import type { PackField } from '../../schema/packs/pack-fields.ts'
import { firstCharacters } from '../../schema/shortened.ts'

/** What is known of a field that a source shows: its schemas, and what it says in response to OPTIONS. */
export interface KnownField {
  readonly name: string
  /** Schema of the value in answers; undefined if answers lack it. */
  readonly shown: JsonObject | undefined
  /** Schema of the value in bodies; undefined for a field that cannot be written. */
  readonly sent: JsonObject | undefined
  readonly isRequired: boolean
  readonly described: JsonObject
  /** Type of the filter of this name: `integer` or `string`; undefined without a filter. */
  readonly filterType: string | undefined
}

/** A derived field, and what could not be known of it, as a sentence. */
export interface DerivedField {
  readonly field: PackField
  readonly note?: string
}

/** The parts of an OpenAPI document that a derivation reads. */
export interface Schemas {
  /** The schema to which a reference leads, or the schema itself. */
  resolve(schema: Json | undefined): JsonObject
  /** Object type of the objects of a schema, by the name of the schema: `BriefDevice` → `dcim.device`. */
  typeOf(schemaName: string): string | undefined
  /** The object type of the same app with this name, whose words may be joined by underscores. */
  typeNamed(name: string): string | undefined
  /** Whether objects of the type have this field. */
  hasField(objectType: string, name: 'slug' | 'name'): boolean
}

/** Name of the schema to which a property refers; undefined without a reference. */
function referenceOf(schema: JsonObject | undefined): string | undefined {
  if (!schema) return undefined
  const [first] = objectsIn(schema.allOf)
  const reference = schema.$ref ?? first?.$ref
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}

/** The field that the source's documents describe. */
export function deriveField(known: KnownField, schemas: Schemas): DerivedField {
  const { shown, sent, isRequired, described } = known
  const value = shown ?? sent ?? {}
  const { field: told, note } = kindOf(known, schemas)
  // A relation to several objects that nothing shows has no objects.
  const field: PackField = told.kind === 'objects' && shown === undefined ? { kind: 'json' } : told
  const isNullable = value.nullable === true || sent?.nullable === true || isNullAmong(value) || isNullAmong(sent)
  const isReadOnly = sent === undefined
  const label = typeof described.label === 'string' ? described.label : undefined
  const help = typeof described.help_text === 'string' ? described.help_text : undefined
  const texts = {
    ...(label !== undefined &&
      label.toLowerCase() !== known.name.replaceAll('_', ' ') && { label: firstCharacters(label, 100) }),
    ...(help !== undefined && help !== '' && { help: firstCharacters(help, 500) }),
  }
  if (field.kind === 'objects') {
    return {
      field: { ...field, ...texts, ...(isReadOnly && { read_only: true }) },
      ...(note !== undefined && { note }),
    }
  }
  if (isReadOnly) {
    const frozen = 'The source computes it; imported values stay as they were'
    // Documents call values of any form texts if a function of the source computes them.
    const kept: PackField = field.kind === 'text' || field.kind === 'texts' ? { kind: 'json' } : field
    return { field: { ...kept, ...texts, optional: true, read_only: true, filter: false }, note: note ?? frozen }
  }
  if (shown === undefined && field.kind !== 'any_object') {
    const lost = 'The source never shows it, so that imported objects have no value'
    return { field: { ...field, ...texts, optional: true, write_only: true, filter: false }, note: note ?? lost }
  }
  const start = defaultOf(field)
  if (isRequired)
    return {
      field: { ...field, ...texts, ...(isNullable && { optional: true, required: true }) },
      ...(note && { note }),
    }
  if (isNullable || start === undefined) {
    const unknown = isNullable ? undefined : 'Its default is not known; objects without it have no value'
    const said = note ?? unknown
    return { field: { ...field, ...texts, optional: true }, ...(said !== undefined && { note: said }) }
  }
  return { field: { ...field, ...texts, default: start }, ...(note !== undefined && { note }) }
}

const isNullAmong = (schema: JsonObject | undefined): boolean =>
  Array.isArray(schema?.enum) && schema.enum.includes(null)

/** The value of a field that bodies may omit and that is never null, if every program chooses the same. */
function defaultOf({ kind, blank }: PackField): Json | undefined {
  switch (kind) {
    case 'text':
    case 'url':
    case 'email':
    case 'slug':
    case 'color':
      return ''
    case 'choice':
      return blank ? '' : undefined
    case 'file':
      return ''
    case 'boolean':
      return false
    case 'choices':
    case 'texts':
    case 'integers':
    case 'ranges':
      return []
    default:
      return undefined
  }
}

/** The kind of the field with the options that follow from it. */
function kindOf(known: KnownField, schemas: Schemas): DerivedField {
  const { shown, sent, name } = known
  const value = schemas.resolve(shown ?? sent)
  const target = referenceOf(shown) ?? referenceOf(sent)
  if (target !== undefined && value.type === 'object') {
    const type = schemas.typeOf(target)
    return type === undefined
      ? { field: { kind: 'json' }, note: `The model of ${target} is not known` }
      : { field: objectField(type, known, schemas) }
  }
  if (value.type === 'array') return listOf(known, value, schemas)
  const structured = structuredChoices(value)
  if (structured) return { field: { kind: 'choice', choices: structured, structured: true, ...blankIn(sent) } }
  const choices = choicesOf(value)
  if (choices) return { field: { kind: 'choice', choices, ...blankIn(value) } }
  if (value.type === 'string' || value.oneOf !== undefined) return { field: textField(value, sent) }
  if (value.type === 'boolean') return { field: { kind: 'boolean' } }
  if (value.type === 'number') return { field: { kind: 'decimal', digits: 24, places: 8 } }
  if (value.type === 'integer') {
    if (known.described.type === 'field') return idField(known, schemas)
    return { field: { kind: 'integer', ...rangeIn(value) } }
  }
  return { field: { kind: 'json' }, ...(name.startsWith('_') && { note: 'Its form is not known' }) }
}

const objectField = (type: string, { filterType }: KnownField, { hasField }: Schemas): PackField => ({
  ...{ kind: 'object', to: type },
  ...(filterType === 'string' && !hasField(type, 'slug') && hasField(type, 'name') && { by: 'name' }),
  ...(filterType === 'integer' && hasField(type, 'slug') && { by: 'id' }),
})

/** A relation that answers show as a number. */
function idField({ name }: KnownField, { typeNamed }: Schemas): DerivedField {
  const type = typeNamed(name)
  return type === undefined
    ? {
        field: { kind: 'integer' },
        note: 'It refers to objects of a model that the source does not name; kept as a number',
      }
    : { field: { kind: 'object', to: type, bare: true }, note: `It refers to ${type}, judging by its name` }
}

function listOf(known: KnownField, value: JsonObject, schemas: Schemas): DerivedField {
  const items = isJsonObject(value.items) ? value.items : {}
  const target = referenceOf(items)
  if (target?.startsWith('IntegerRange')) return { field: { kind: 'ranges' } }
  const type = target === undefined ? undefined : schemas.typeOf(target)
  if (type !== undefined && known.sent !== undefined)
    return { field: { kind: 'objects', to: type, ...byId(known, type, schemas) } }
  const item = schemas.resolve(items)
  const choices = choicesOf(item)
  if (choices) return { field: { kind: 'choices', choices } }
  if (item.type === 'integer') {
    return { field: { kind: 'integers' }, note: 'The source does not say whether these are numbers or ids of objects' }
  }
  if (item.type === 'string') return { field: { kind: 'texts' } }
  return { field: { kind: 'json' } }
}

const byId = ({ filterType }: KnownField, type: string, { hasField }: Schemas) =>
  filterType === 'integer' && hasField(type, 'slug') ? { by: 'id' } : {}

function textField(value: JsonObject, sent: JsonObject | undefined): PackField {
  const [alternative = value] = objectsIn(value.oneOf)
  const { format } = alternative
  const isFile = sent?.format === 'binary' || objectsIn(sent?.oneOf).some((part) => part.format === 'binary')
  const { maxLength } = value.maxLength === undefined ? alternative : value
  const max = typeof maxLength === 'number' ? { max: maxLength } : {}
  if (isFile) return { kind: 'file' }
  switch (format) {
    case 'date':
      return { kind: 'date' }
    case 'date-time':
      return { kind: 'datetime' }
    case 'uuid':
      return { kind: 'uuid' }
    case 'email':
      return { kind: 'email', ...max }
    case 'uri':
      return { kind: 'url', ...max }
    default:
      return { kind: 'text', ...max }
  }
}

const rangeIn = ({ minimum, maximum }: JsonObject) =>
  typeof minimum === 'number' && typeof maximum === 'number' ? { range: [minimum, maximum] as const } : {}

const blankIn = (schema: JsonObject | undefined) =>
  Array.isArray(schema?.enum) && schema.enum.includes('') ? { blank: true } : {}

/** Labels by value; the document has them as lines "* `value` - Label" only. Undefined if it is no choice of texts. */
function choicesOf(schema: JsonObject): Readonly<Record<string, string>> | undefined {
  const values = stringsIn(schema.enum).filter((value) => value !== '')
  if (values.length === 0) return undefined
  const lines = typeof schema.description === 'string' ? schema.description.matchAll(/^\* `(.*?)` - (.*)$/gm) : []
  const labels = Object.fromEntries([...lines].map(([, value = '', label = '']) => [value, label]))
  return Object.fromEntries(values.map((value) => [value, ownValue(labels, value) ?? value]))
}

/** As `choicesOf`, for answers of the form `{value, label}`. */
function structuredChoices(schema: JsonObject): Readonly<Record<string, string>> | undefined {
  if (schema.type !== 'object' || !isJsonObject(schema.properties)) return undefined
  const { value, label } = schema.properties
  if (!isJsonObject(value) || !isJsonObject(label) || Object.keys(schema.properties).length !== 2) return undefined
  const [values, labels] = [stringsIn(value.enum), stringsIn(label.enum)]
  const choices = choicesOf(value)
  const isTold = typeof value.description === 'string' || labels.length !== values.length
  return choices && !isTold ? Object.fromEntries(values.map((name, index) => [name, labels[index] ?? name])) : choices
}
