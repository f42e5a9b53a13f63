import {
  type DerivedType,
  type Field,
  type FieldKind,
  isScalar,
  kindOf,
  type NestedProjection,
  type ScalarField,
} from '../../schema/field.ts'
import { labelledSchema } from '../../schema/fields/choice.ts'
import { TEXT_SCHEMA as TEXT } from '../../schema/fields/kind.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { schemaName } from '../../schema/schema-name.ts'
import { schemaReference } from './names.ts'

/** Parts of the document that the description of a relation needs. */
export interface Surroundings {
  /** A model by name; throws for an unknown one. */
  model(name: string): Model
  /** Schema of a nested object, by default in the model's own projection. */
  nested(model: Model, projection: NestedProjection | undefined): JsonObject
}

/** Schemas of a field: in responses, and in bodies. */
interface Description<F> {
  readonly response: (context: Surroundings, field: F, projection: NestedProjection | 'bare' | undefined) => JsonObject
  readonly body?: (context: Surroundings, field: F) => JsonObject
}

const fixed = (schema: JsonObject): Description<unknown> => ({
  response: () => schema,
  body: () => schema,
})

const array = (items: JsonObject): JsonObject => ({ type: 'array', items })

const ID: JsonObject = { type: 'integer' }
const TIMESTAMP: JsonObject = { type: 'string', format: 'date-time' }
const COUNT: JsonObject = { type: 'integer', format: 'int64' }

const DERIVED: Readonly<Record<DerivedType, JsonObject>> = {
  text: TEXT,
  integer: ID,
  decimal: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  dateTime: TIMESTAMP,
  json: {},
}

const nested = (context: Surroundings, to: string, projection: NestedProjection | 'bare' | undefined): JsonObject =>
  projection === 'bare' ? ID : context.nested(context.model(to), projection)

/** A related object in a body: its id, or attributes that identify it. */
const relatedObject = (context: Surroundings, to: string, write: string): JsonObject => {
  if (write === 'id') return ID
  if (write === 'slug') return TEXT
  return { oneOf: [ID, schemaReference(`Brief${schemaName(context.model(to))}Request`)] }
}

/** What a body may contain, or a response contains, if the field itself does not say it. */
function generalText(context: Surroundings, field: Field, isBody: boolean): string | undefined {
  if (field.kind === 'counter' || field.kind === 'relatedCount')
    return `Number of ${context.model(field.of).definition.labels[1]}`
  if (field.kind === 'customFields') return 'Values by the names of the custom fields'
  if (!isBody) return
  if (field.kind === 'tags') return 'Ids, names or slugs of the tags, which replace the present ones'
  if (field.kind === 'foreignKey') {
    const [label] = context.model(field.to).definition.labels
    if (field.write === 'id' || field.write === 'slug') return `The ${field.write} of the ${label}`
    return `The id of the ${label}, or attributes that identify it`
  }
  if (field.kind === 'manyToMany')
    return `Identifies the ${context.model(field.to).definition.labels[1]}, which replace the present ones`
}

/** Descriptions of fields with more than one value. */
const DESCRIPTIONS: {
  readonly [K in Exclude<FieldKind, ScalarField['kind']>]: Description<Extract<Field, { kind: K }>>
} = {
  foreignKey: {
    response: (context, { to, projection, bare }, requested) =>
      nested(context, to, requested ?? (bare ? 'bare' : projection)),
    body: (context, { to, write }) => relatedObject(context, to, write),
  },
  manyToMany: {
    response: (context, { to, projection, bare, write }, requested) =>
      array(write === 'slug' ? TEXT : nested(context, to, requested ?? (bare ? 'bare' : projection))),
    body: (context, { to, write }) => array(relatedObject(context, to, write)),
  },
  genericForeignKey: fixed({}),
  tags: {
    response: () => array(schemaReference('NestedTag')),
    body: () => array(schemaReference('NestedTagRequest')),
  },
  customFields: fixed({ type: 'object', additionalProperties: {} }),
  counter: fixed(COUNT),
  relatedCount: fixed(COUNT),
  derived: {
    response: (_around, { type, choices }, projection) =>
      choices && projection !== 'bare' ? labelledSchema(choices) : DERIVED[type],
  },
  derivedKey: {
    response: (context, { to, projection }, requested) => nested(context, to, requested ?? projection),
  },
  reverse: {
    response: (context, { of, projection, single }, requested) => {
      const item = nested(context, of, requested ?? projection)
      return single ? item : array(item)
    },
  },
  computed: {
    response: (_around, { schema }) =>
      // Declarations contain an object; other schemas would have no content.
      typeof schema === 'object' && schema !== null ? (schema as JsonObject) : {},
  },
}

const descriptionOf = (field: Exclude<Field, ScalarField>): Description<Field> =>
  // The table's row matches the field's kind, which the compiler cannot infer.
  DESCRIPTIONS[field.kind] as Description<Field>

/** Schema of the field in a response; `projection`: the projection that a nested one requests. */
export function shownSchema(
  context: Surroundings,
  field: Field,
  projection?: NestedProjection | 'bare' | undefined,
): JsonObject {
  const schema = isScalar(field)
    ? kindOf(field).schema(field.kind === 'choice' && projection === 'bare' ? { ...field, bare: true } : field)
    : descriptionOf(field).response(context, field, projection)
  return annotated(context, field, schema, false)
}

/** Schema of the field in a body. */
export function sentSchema(context: Surroundings, field: Field): JsonObject {
  return annotated(context, field, sentValue(context, field), true)
}

function sentValue(context: Surroundings, field: Field): JsonObject {
  if (isScalar(field)) {
    const { schema, sentSchema } = kindOf(field)
    return (sentSchema ?? schema)(field)
  }
  const { body, response } = descriptionOf(field)
  return (body ?? response)(context, field, undefined)
}

function isNullable(field: Field): boolean {
  if (field.kind === 'derivedKey') return true
  if (field.kind === 'reverse') return field.single === true
  return 'nullable' in field && field.nullable === true
}

/**
 * The schema with null, in the form that generators of clients read: a reference stands alone in `allOf`, without a type
 * beside it, and an enum lists null. A schema without a type already accepts null.
 */
export function nullable(schema: JsonObject): JsonObject {
  if ('$ref' in schema) return { allOf: [schema], nullable: true }
  const { oneOf } = schema
  if (Array.isArray(oneOf))
    return {
      ...schema,
      oneOf: oneOf.map((alternative) => (isJsonObject(alternative) ? nullableIfTyped(alternative) : alternative)),
    }
  return nullableIfTyped(schema)
}

function nullableIfTyped(schema: JsonObject): JsonObject {
  if (!('type' in schema)) return schema
  const { enum: values } = schema
  const withNull = Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}
  return { ...schema, ...withNull, nullable: true }
}

/** The schema with null, title and description of the field. */
function annotated(context: Surroundings, field: Field, value: JsonObject, isBody: boolean): JsonObject {
  const schema = isNullable(field) ? nullable(value) : value
  const title = 'label' in field && field.label ? { title: field.label } : {}
  const text = ('help' in field && field.help) || generalText(context, field, isBody)
  const words = { ...title, ...(text && { description: text }) }
  if (Object.keys(words).length === 0) return schema
  return '$ref' in schema ? { allOf: [schema], ...words } : { ...schema, ...words }
}
