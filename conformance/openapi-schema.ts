import { isList, isObject, type Json, type JsonObject } from './json.ts'
import { valueAt } from './pointer.ts'

/** Parses an OpenAPI document. Throws an Error for any other text. */
export function parseDocument(text: string): JsonObject {
  const document: Json = JSON.parse(text)
  if (isObject(document) && isObject(document.paths)) return document
  throw new Error('this is not an OpenAPI document: it has no paths')
}

/** `part` with its reference resolved; undefined if the result is not an object. */
export function resolved(document: JsonObject, part: Json | undefined): JsonObject | undefined {
  let found = part
  while (isObject(found) && typeof found.$ref === 'string') {
    found = valueAt(document, found.$ref.replace(/^#/, ''))
  }
  return isObject(found) ? found : undefined
}

/**
 * Names of the fields that a schema describes, and `field.name` for the fields of nested objects, one level deep. An
 * array has the fields of its items, a page its own and those of its results, alternatives have those of all of them.
 */
export function fieldNames(document: JsonObject, schema: Json | undefined): string[] {
  const names = new Set<string>()
  const fields = propertiesOf(document, schema)
  const results = fields.has('count') ? fields.get('results') : undefined
  if (results) for (const name of fieldNames(document, results)) names.add(name)
  for (const [name, field] of fields) {
    names.add(name)
    if (field === results) continue
    for (const inner of propertiesOf(document, field).keys()) names.add(`${name}.${inner}`)
  }
  return [...names]
}

function propertiesOf(document: JsonObject, part: Json | undefined): Map<string, Json> {
  const schema = resolved(document, part)
  if (!schema) return new Map()
  if (schema.items !== undefined) return propertiesOf(document, schema.items)
  const properties = new Map(isObject(schema.properties) ? Object.entries(schema.properties) : [])
  for (const alternatives of [schema.allOf, schema.oneOf, schema.anyOf]) {
    for (const each of isList(alternatives) ? alternatives : []) {
      for (const [name, field] of propertiesOf(document, each)) {
        if (!properties.has(name)) properties.set(name, field)
      }
    }
  }
  return properties
}
