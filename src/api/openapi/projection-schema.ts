import type { NestedProjection } from '../../schema/field.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { schemaName } from '../../schema/schema-name.ts'
import { isRequired, isWritable } from '../../schema/writable.ts'
import { schemaReference } from './names.ts'
import { nullable, type Surroundings, shownSchema } from './value-schema.ts'

/** Collects the schemas of nested projections that differ from the models' own. */
export interface DocumentSurroundings extends Surroundings {
  readonly projections: ReadonlyMap<string, JsonObject>
  /** Names of the model's fields that responses about other objects show. */
  shownNames(model: Model): ReadonlySet<string>
}

/** Describes the relations of this registry. */
export function surroundingsOf(registry: Registry): DocumentSurroundings {
  const projections = new Map<string, JsonObject>()
  const texts = new Map<string, string>()
  const foreignForms = foreignFormsOf(registry)
  const context: DocumentSurroundings = {
    projections,
    model: registry.model,
    shownNames: (model) => new Set([...model.nested, ...(foreignForms.get(model.name) ?? [])]),
    nested: (model, projection) => {
      if (!projection || projection === model.nested) return schemaReference(`Brief${schemaName(model)}`)
      const name = `Nested${schemaName(model)}`
      const text = JSON.stringify(projection)
      // The first projection of a model with that name gets a schema; others are described inline.
      if (!texts.has(name)) {
        texts.set(name, text)
        projections.set(name, objectSchema(context, model, projection))
      }
      return texts.get(name) === text ? schemaReference(name) : objectSchema(context, model, projection)
    },
  }
  return context
}

/** Fields that foreign keys with a projection of their own show, by the model's name. */
function foreignFormsOf(registry: Registry): ReadonlyMap<string, readonly string[]> {
  const namesByModel = new Map<string, string[]>()
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (field.kind !== 'foreignKey' || !field.projection) continue
      const names = field.projection.map((entry) => (typeof entry === 'string' ? entry : entry[0]))
      namesByModel.set(field.to, [...(namesByModel.get(field.to) ?? []), ...names])
    }
  }
  return namesByModel
}

/** Schema of an object with these fields; fields that are always present are required. */
export function objectSchema(context: Surroundings, model: Model, projection: NestedProjection): JsonObject {
  const properties: Record<string, JsonObject> = {}
  const required: string[] = []
  for (const entry of projection) {
    const [name, as] = typeof entry === 'string' ? [entry, undefined] : entry
    const property = propertyOf(context, model, name, as)
    properties[name] = property.schema
    if (property.isRequired) required.push(name)
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

interface Property {
  readonly schema: JsonObject
  readonly isRequired: boolean
}

const always = (schema: JsonObject): Property => ({
  schema: { ...schema, readOnly: true },
  isRequired: true,
})

const COMMON: Readonly<Record<string, Property>> = {
  id: always({ type: 'integer', description: 'Never changes' }),
  url: always({ type: 'string', format: 'uri', description: 'Address in the API' }),
  display_url: always({ type: 'string', format: 'uri', description: 'Address of the page' }),
  display: always({ type: 'string', description: 'Name for people' }),
  display_name: always({ type: 'string', description: 'Name for people' }),
}

/** Meanings of fields that many models have. */
const COMMON_TEXTS: Readonly<Record<string, string>> = {
  slug: 'Unique name in addresses: letters, digits, hyphens, underscores',
  comments: 'Text in Markdown',
  created: 'Time of the creation',
  last_updated: 'Time of the last change',
}

/** The schema of a field with the meaning of its name, unless it has a description. */
export function describedByName(name: string, schema: JsonObject): JsonObject {
  const description = COMMON_TEXTS[name]
  return description === undefined || 'description' in schema ? schema : { ...schema, description }
}

function propertyOf(
  context: Surroundings,
  model: Model,
  name: string,
  as: NestedProjection | 'bare' | undefined,
): Property {
  const field = model.fields.get(name)
  if (!field) return COMMON[name] ?? genericProperty(model, name)
  if (field.kind === 'genericForeignKey') return genericProperty(model, name)
  const schema = describedByName(name, shownSchema(context, field, as))
  if (isWritable(field)) return { schema, isRequired: isRequired(field) }
  return always('$ref' in schema ? { allOf: [schema] } : schema)
}

/** Type, id and object of a generic relation. */
function genericProperty(model: Model, name: string): Property {
  const { field, part } = genericPart(model, name) ?? {}
  if (!field) throw new Error(`${model.name}: no field ${name} to describe`)
  const orNull = (schema: JsonObject) => (field.nullable ? nullable(schema) : schema)
  if (part === 'object') return always({})
  if (part === 'id') {
    return { schema: orNull({ type: 'integer', format: 'int64' }), isRequired: !field.nullable }
  }
  const isRequired = !field.nullable || field.typeRequired === true
  return { schema: isRequired ? { type: 'string' } : orNull({ type: 'string' }), isRequired }
}
