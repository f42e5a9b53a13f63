import type { ChoiceSet } from '../../schema/choices.ts'
import type {
  DerivedType,
  Field,
  FieldKind,
  ListField,
  NestedProjection,
  TextField,
} from '../../schema/field.ts'
import { INTEGER_RANGES } from '../../schema/integer-ranges.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { isBlank } from '../../schema/writable.ts'
import { schemaName, schemaReference } from './names.ts'

/** Parts of the document that the description of a relation needs. */
export interface Surroundings {
  /** A model by name; throws for an unknown one. */
  model(name: string): Model
  /** Schema of a nested object, by default in the model's own projection. */
  nested(model: Model, projection: NestedProjection | undefined): JsonObject
}

/** Schemas of a field: in responses, and in bodies. */
interface Description<F> {
  readonly shown: (
    around: Surroundings,
    field: F,
    projection: NestedProjection | 'bare' | undefined,
  ) => JsonObject
  readonly sent?: (around: Surroundings, field: F) => JsonObject
}

const fixed = (schema: JsonObject): Description<unknown> => ({
  shown: () => schema,
  sent: () => schema,
})

const PATTERNS = { slug: '^[-a-zA-Z0-9_]+$', color: '^[0-9a-f]{6}$' } as const
const FORMATS = { url: 'uri', email: 'email' } as const

const limits = (range: readonly [number, number] | undefined): JsonObject =>
  range ? { minimum: range[0], maximum: range[1] } : {}

const typeOfChoices = ({ list }: ChoiceSet): 'integer' | 'string' =>
  typeof list[0]?.value === 'number' ? 'integer' : 'string'

const choiceValue = (choices: ChoiceSet, extra: readonly Json[] = []): JsonObject => ({
  type: typeOfChoices(choices),
  enum: [...choices.list.map(({ value }) => value), ...extra],
})

const labelled = (choices: ChoiceSet): JsonObject => ({
  type: 'object',
  properties: {
    value: choiceValue(choices),
    label: { type: 'string', enum: [...new Set(choices.list.map(({ label }) => label))] },
  },
})

const array = (items: JsonObject): JsonObject => ({ type: 'array', items })

function listItem({ of, choices, max, range }: ListField<unknown>): JsonObject {
  switch (of) {
    case 'text':
      if (choices) return choiceValue(choices)
      return { type: 'string', ...(max !== undefined && { maxLength: max }) }
    case 'integer':
      return { type: 'integer', ...limits(range) }
    case 'network':
      return { type: 'string' }
    case 'json':
      return {}
    case 'textPair':
      return { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 }
    case 'range':
      return schemaReference('IntegerRange')
  }
}

const list: Description<ListField<unknown>> = {
  shown: (_around, field) => array(listItem(field)),
  sent: (_around, field) => array(listItem(field)),
}

const ID: JsonObject = { type: 'integer' }
const TEXT: JsonObject = { type: 'string' }
const MOMENT: JsonObject = { type: 'string', format: 'date-time' }
const COUNT: JsonObject = { type: 'integer', format: 'int64' }

const DERIVED: Readonly<Record<DerivedType, JsonObject>> = {
  text: TEXT,
  integer: ID,
  decimal: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  dateTime: MOMENT,
  json: {},
}

const nested = (
  around: Surroundings,
  to: string,
  projection: NestedProjection | 'bare' | undefined,
): JsonObject => (projection === 'bare' ? ID : around.nested(around.model(to), projection))

/** A related object in a body: its id, or attributes that identify it. */
const named = (around: Surroundings, to: string, write: string): JsonObject => {
  if (write === 'id') return ID
  if (write === 'slug') return TEXT
  return { oneOf: [ID, schemaReference(`Brief${schemaName(around.model(to))}Request`)] }
}

const mayBeEmpty = (field: Field): boolean =>
  isBlank(field) || ('default' in field && field.default === '')

/** Pattern or format of a text; none where the empty text is allowed, since that matches neither. */
function formOfText(field: TextField<unknown>): JsonObject {
  const pattern = field.format in PATTERNS && PATTERNS[field.format as keyof typeof PATTERNS]
  if (pattern) return { pattern: mayBeEmpty(field) ? `^$|${pattern}` : pattern }
  const format = field.format in FORMATS && FORMATS[field.format as keyof typeof FORMATS]
  return format && !mayBeEmpty(field) ? { format } : {}
}

/** Descriptions by kind of field; a new kind does not compile until it has one. */
const DESCRIPTIONS: { readonly [K in FieldKind]: Description<Extract<Field, { kind: K }>> } = {
  text: {
    shown: (_around, field) => ({
      type: 'string',
      ...(field.max !== undefined && { maxLength: field.max }),
      ...formOfText(field),
    }),
  },
  integer: {
    shown: (_around, { size, range }) => ({
      type: 'integer',
      ...(size === 'big' && { format: 'int64' }),
      ...limits(range ?? (size === 'big' ? undefined : INTEGER_RANGES[size])),
    }),
  },
  decimal: {
    shown: (_around, { range }) => ({ type: 'number', format: 'double', ...limits(range) }),
  },
  boolean: fixed({ type: 'boolean' }),
  date: fixed({ type: 'string', format: 'date' }),
  dateTime: fixed(MOMENT),
  json: { shown: (_around, { objectOnly }) => (objectOnly ? { type: 'object' } : {}) },
  uuid: fixed({ type: 'string', format: 'uuid' }),
  choice: {
    shown: (_around, field, projection) => {
      const { choices, bare } = field
      const schema = bare || projection === 'bare' ? choiceValue(choices) : labelled(choices)
      return mayBeEmpty(field) ? nullable(schema) : schema
    },
    sent: (_around, field) =>
      choiceValue(field.choices, [
        ...(isBlank(field) && typeOfChoices(field.choices) === 'string' ? [''] : []),
        ...(field.nullable ? [null] : []),
      ]),
  },
  address: fixed(TEXT),
  network: fixed(TEXT),
  hardwareAddress: fixed(TEXT),
  file: {
    // Responses show null where there is no file.
    shown: (_around, field) => ({
      type: 'string',
      format: 'uri',
      ...(mayBeEmpty(field) && { nullable: true }),
    }),
    sent: () => ({ type: 'string', format: 'binary' }),
  },
  list,
  objectTypes: fixed(array(TEXT)),
  objectType: fixed(TEXT),
  foreignKey: {
    shown: (around, { to, projection, bare }, asked) =>
      nested(around, to, asked ?? (bare ? 'bare' : projection)),
    sent: (around, { to, write }) => named(around, to, write),
  },
  manyToMany: {
    shown: (around, { to, projection, bare, write }, asked) =>
      array(write === 'slug' ? TEXT : nested(around, to, asked ?? (bare ? 'bare' : projection))),
    sent: (around, { to, write }) => array(named(around, to, write)),
  },
  genericForeignKey: fixed({}),
  tags: {
    shown: () => array(schemaReference('NestedTag')),
    sent: () => array(schemaReference('NestedTagRequest')),
  },
  customFields: fixed({ type: 'object', additionalProperties: {} }),
  counter: fixed(COUNT),
  relatedCount: fixed(COUNT),
  derived: {
    shown: (_around, { type, choices }, projection) =>
      choices && projection !== 'bare' ? labelled(choices) : DERIVED[type],
  },
  derivedKey: {
    shown: (around, { to, projection }, asked) => nested(around, to, asked ?? projection),
  },
  reverse: {
    shown: (around, { of, projection, single }, asked) => {
      const item = nested(around, of, asked ?? projection)
      return single ? item : array(item)
    },
  },
  computed: {
    shown: (_around, { schema }) =>
      // Declarations contain an object; other schemas would have no content.
      typeof schema === 'object' && schema !== null ? (schema as JsonObject) : {},
  },
}

const descriptionOf = (field: Field): Description<Field> =>
  // The table's row matches the field's kind, which the compiler cannot infer.
  DESCRIPTIONS[field.kind] as Description<Field>

/** Schema of the field in a response; `projection`: the one that a nested projection requests. */
export function shownSchema(
  around: Surroundings,
  field: Field,
  projection?: NestedProjection | 'bare' | undefined,
): JsonObject {
  const schema = descriptionOf(field).shown(around, field, projection)
  return annotate(field, isNullable(field) ? nullable(schema) : schema)
}

/** Schema of the field in a body. */
export function sentSchema(around: Surroundings, field: Field): JsonObject {
  const { sent, shown } = descriptionOf(field)
  const schema = sent ? sent(around, field) : shown(around, field, undefined)
  const isNeverEmpty = field.kind === 'text' && !mayBeEmpty(field)
  const checked = isNeverEmpty ? { ...schema, minLength: 1 } : schema
  return annotate(field, isNullable(field) ? nullable(checked) : checked)
}

function isNullable(field: Field): boolean {
  if (field.kind === 'derivedKey') return true
  if (field.kind === 'reverse') return field.single === true
  return 'nullable' in field && field.nullable === true
}

/** A reference must not have siblings in OpenAPI 3.0. */
export const nullable = (schema: JsonObject): JsonObject =>
  '$ref' in schema ? { allOf: [schema], nullable: true } : { ...schema, nullable: true }

function annotate(field: Field, schema: JsonObject): JsonObject {
  const title = 'label' in field && field.label ? { title: field.label } : {}
  const description = 'help' in field && field.help ? { description: field.help } : {}
  const words = { ...title, ...description }
  if (Object.keys(words).length === 0) return schema
  return '$ref' in schema ? { allOf: [schema], ...words } : { ...schema, ...words }
}
