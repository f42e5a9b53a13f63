import { isJsonObject, type Json, type JsonObject } from '../../src/schema/json.ts'

/** Maximum number of choices in a line. */
const MOST_CHOICES = 12

/** Type of a value in a few words: `string(100)`, `integer(1..4094) or null`, `choice(on off)`, `[BriefTag]`. */
export function typeText(schema: Json): string {
  if (!isJsonObject(schema)) return 'any'
  const text = bareType(schema)
  return schema.nullable === true ? `${text} or null` : text
}

function bareType(schema: JsonObject): string {
  const { $ref, allOf, oneOf, type, items, enum: values, properties } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? ''
  if (Array.isArray(allOf)) return allOf.map(typeText).join(' and ')
  if (Array.isArray(oneOf)) return oneOf.map(typeText).join(' or ')
  if (type === 'array') return `[${typeText(items ?? {})}]`
  if (isJsonObject(properties)) return objectType(properties)
  if (Array.isArray(values)) return choiceType(values)
  const limits = limitsOf(schema)
  const format = typeof schema.format === 'string' && type === 'string' ? ` ${schema.format}` : ''
  return `${typeof type === 'string' ? type : 'any'}${format}${limits}`
}

/** A choice with its label, or an object with the names in it. */
function objectType(properties: JsonObject): string {
  const { value, label } = properties
  if (value !== undefined && label !== undefined) return `labelled ${typeText(value)}`
  return `{${Object.keys(properties).join(' ')}}`
}

/** Choices without the empty ones, which `or null` indicates. */
function choiceType(all: readonly Json[]): string {
  const values = all.filter((value) => value !== null && value !== '')
  return values.length > MOST_CHOICES
    ? `choice of ${values.length} (${values[0]} … ${values.at(-1)})`
    : `choice(${values.join(' ')})`
}

function limitsOf({ minimum, maximum, maxLength }: JsonObject): string {
  if (maxLength !== undefined) return `(${maxLength})`
  return minimum === undefined && maximum === undefined ? '' : `(${minimum ?? ''}..${maximum ?? ''})`
}
