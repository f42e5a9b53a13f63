import { defaultFields } from '../../schema/default-fields.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { schemaName } from '../../schema/schema-name.ts'
import { isRequired, isWritable } from '../../schema/writable.ts'
import { schemaReference } from './names.ts'
import { type DocumentSurroundings, describedByName, objectSchema } from './projection-schema.ts'
import { type Surroundings, sentSchema } from './value-schema.ts'

/** Names of a model's schemas. */
interface ModelSchemas {
  readonly response: string
  readonly page: string
  /** Body for creating or replacing one object. */
  readonly whole: string
  /** Body for changing one object. */
  readonly change: string
  readonly bulkWhole: string
  readonly bulkChange: string
}

/** Schema names as in NetBox, which generated clients rely on. */
export function schemaNames(model: Model): ModelSchemas {
  const name = schemaName(model) + (model.has('configContext') ? 'WithConfigContext' : '')
  const writable = isShownOtherwise(model) ? 'Writable' : ''
  return {
    response: name,
    page: `Paginated${name}List`,
    whole: `${writable}${name}Request`,
    change: `Patched${writable}${name}Request`,
    bulkWhole: `Bulk${name}Request`,
    bulkChange: `PatchedBulk${name}Request`,
  }
}

/**
 * Whether a body represents some field differently from a response: a choice, or an object in a projection of its
 * own.
 */
function isShownOtherwise(model: Model): boolean {
  return [...model.fields.values()].some((field) => {
    if (field.kind === 'derived') return field.choices !== undefined
    if (!isWritable(field)) return false
    if (field.kind === 'choice') return !field.bare
    return field.kind === 'foreignKey' && field.projection !== undefined
  })
}

/** All schemas of a model by name. */
export function modelSchemas(context: DocumentSurroundings, model: Model): Record<string, JsonObject> {
  const names = schemaNames(model)
  const name = schemaName(model)
  const body = bodySchema(context, model)
  const id = { type: 'integer' }
  const projection = defaultFields(model)
  return {
    // Some responses show such objects without their context, under the plain name.
    [name]: objectSchema(
      context,
      model,
      projection.filter((entry) => entry !== 'config_context'),
    ),
    [names.response]: objectSchema(context, model, projection),
    [`Brief${name}`]: objectSchema(context, model, model.nested),
    [`Brief${name}Request`]: attributesSchema(context, model),
    [names.whole]: body.whole,
    [names.change]: body.change,
    [names.bulkWhole]: withId(body.whole, id),
    [names.bulkChange]: withId(body.change, id),
    [names.page]: pageSchema(names.response),
  }
}

interface BodySchema {
  readonly whole: JsonObject
  /** Has no required fields. */
  readonly change: JsonObject
}

/** The attributes by which a body may identify a related object: any of those in its nested form. */
const attributesSchema = (context: DocumentSurroundings, model: Model): JsonObject => ({
  type: 'object',
  properties: writableProperties(context, model, context.shownNames(model)).properties,
})

function bodySchema(context: Surroundings, model: Model): BodySchema {
  const { properties, required } = writableProperties(context, model, model.fields.keys())
  if (model.has('changeLogging')) {
    properties.changelog_message = {
      ...{ type: 'string', writeOnly: true, maxLength: 200 },
      description: 'Why the change is made, for its change records',
    }
  }
  const change: JsonObject = { type: 'object', properties }
  return { whole: required.length > 0 ? { ...change, required } : change, change }
}

/** Properties of these fields in a body, without those that are never written. */
function writableProperties(context: Surroundings, model: Model, names: Iterable<string>) {
  const properties: Record<string, JsonObject> = {}
  const required: string[] = []
  for (const name of names) {
    const field = model.fields.get(name)
    if (!field || !isWritable(field)) continue
    if (field.kind === 'genericForeignKey') {
      const { type, id } = genericKeys(name, field)
      const orNull: JsonObject = field.nullable ? { nullable: true } : {}
      properties[type] = { type: 'string', ...(field.typeRequired ? {} : orNull) }
      properties[id] = { type: 'integer', format: 'int64', ...orNull }
      if (!field.nullable) required.push(type, id)
      else if (field.typeRequired) required.push(type)
      continue
    }
    properties[name] = describedByName(name, sentSchema(context, field))
    if (isRequired(field)) required.push(name)
    if (field.kind === 'tags') {
      const tags = sentSchema(context, field)
      properties.add_tags = { ...tags, description: 'Tags to add to the present ones' }
      properties.remove_tags = { ...tags, description: 'Tags to remove from the present ones' }
    }
  }
  return { properties, required }
}

/** Schema of an item of a bulk request: it contains the object's id. */
function withId(schema: JsonObject, id: JsonObject): JsonObject {
  const properties = schema.properties as JsonObject // `bodySchema` always sets it
  const required = (schema.required ?? []) as readonly string[] // as above
  return { ...schema, properties: { id, ...properties }, required: ['id', ...required] }
}

const pageSchema = (item: string): JsonObject => ({
  type: 'object',
  required: ['count', 'results'],
  properties: {
    count: { type: 'integer', nullable: true, example: 123, description: 'Number of all matches; null with `start`' },
    next: {
      type: 'string',
      format: 'uri',
      nullable: true,
      description: 'Address of the next slice; null after the last',
    },
    previous: { type: 'string', format: 'uri', nullable: true, description: 'Address of the slice before' },
    results: { type: 'array', items: schemaReference(item) },
  },
})

/** Schemas that several models use. */
export const SHARED_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  IntegerRange: {
    type: 'array',
    description: 'Lowest and highest number, both included',
    items: { type: 'integer' },
    minItems: 2,
    maxItems: 2,
    example: [10, 20],
  },
  NestedTag: {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      url: { type: 'string', format: 'uri', readOnly: true },
      display_url: { type: 'string', format: 'uri', readOnly: true },
      display: { type: 'string', readOnly: true },
      name: { type: 'string', maxLength: 100 },
      slug: { type: 'string', maxLength: 100, pattern: '^[-\\w]+$' },
      color: { type: 'string', maxLength: 6, pattern: '^[0-9a-f]{6}$' },
    },
    required: ['display', 'display_url', 'id', 'name', 'slug', 'url'],
  },
  NestedTagRequest: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      slug: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[-\\w]+$' },
      color: { type: 'string', minLength: 1, maxLength: 6, pattern: '^[0-9a-f]{6}$' },
    },
  },
}
