import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'

/** Schemas of the document by name. */
export type Schemas = Readonly<Record<string, Json>>

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'URL',
  'date-time': 'date and time',
  date: 'date',
  uuid: 'UUID',
  binary: 'file',
  email: 'email address',
}

const REFERENCE = '#/components/schemas/'

/** A schema with its references resolved and compositions of a single part unwrapped. */
export function resolve(schemas: Schemas, schema: Json | undefined): JsonObject {
  if (!isJsonObject(schema)) return {}
  if (typeof schema.$ref === 'string') {
    return resolve(schemas, schemas[schema.$ref.slice(REFERENCE.length)])
  }
  if (Array.isArray(schema.allOf)) return resolve(schemas, schema.allOf[0])
  return schema
}

/** Type of a value in a few words. */
export function typeText(schemas: Schemas, schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'anything'
  if (typeof schema.$ref === 'string') return nameOf(schema.$ref)
  if (Array.isArray(schema.allOf)) return typeText(schemas, schema.allOf[0])
  if (Array.isArray(schema.oneOf)) {
    return [...new Set(schema.oneOf.map((each) => typeText(schemas, each)))].join(' or ')
  }
  if (schema.type === 'array') return `list of ${typeText(schemas, schema.items)}`
  if (isChoice(schema)) return 'choice'
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined
  return format ?? (typeof schema.type === 'string' ? schema.type : 'anything')
}

/** Name of the schema that a reference points to: `BriefSiteRequest` becomes `Site`. */
const nameOf = (reference: string): string =>
  reference.slice(REFERENCE.length).replace(/^Brief|Request$/g, '')

const isChoice = ({ properties }: JsonObject): boolean =>
  isJsonObject(properties) && 'value' in properties && 'label' in properties

/** Limits and allowed values of a schema as text. */
export function constraintsText(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return ''
  const { properties } = schema
  const inner = isChoice(schema) && isJsonObject(properties) ? properties.value : schema
  const values = isJsonObject(inner) && Array.isArray(inner.enum) ? inner.enum : []
  const told = values.filter((value) => value !== null && value !== '').map(String)
  return [
    told.length > 0 && `One of ${told.join(', ')}`,
    rangeWords(schema),
    typeof schema.maxLength === 'number' && `At most ${schema.maxLength} characters`,
    schema.nullable === true && 'May be null',
    schema.readOnly === true && 'Read-only',
    schema.default !== undefined && `Default ${JSON.stringify(schema.default)}`,
    typeof schema.description === 'string' && schema.description,
  ]
    .filter((part) => typeof part === 'string')
    .join('. ')
}

function rangeWords({ minimum, maximum }: JsonObject): string | undefined {
  if (typeof minimum === 'number' && typeof maximum === 'number') return `${minimum} to ${maximum}`
  if (typeof minimum === 'number') return `At least ${minimum}`
  return typeof maximum === 'number' ? `At most ${maximum}` : undefined
}
