import { asPlain, isJsonObject, type Json, mayBeInexact, parseJson } from './json.ts'
import type { Model } from './registry.ts'

/**
 * Schema of an object of the model, or of a list of its objects, in responses of the API. Numbers are exact in
 * documents and custom fields; elsewhere they are JavaScript numbers.
 */
export function parseAnswered(model: Model, text: string): Json {
  if (!mayBeInexact(text)) return JSON.parse(text) as Json
  const document = parseJson(text) as Json
  const read = (object: Json): Json =>
    isJsonObject(object)
      ? Object.fromEntries(
          Object.entries(object).map(([name, value]) => [
            name,
            isDocument(model, name) ? value : (asPlain(value) as Json),
          ]),
        )
      : object
  if (!isJsonObject(document) || !Array.isArray(document.results)) return read(document)
  return { ...document, results: document.results.map(read) }
}

function isDocument(model: Model, name: string): boolean {
  const field = model.fields.get(name)
  switch (field?.kind) {
    case 'json':
    case 'customFields':
      return true
    case 'list':
      return field.of === 'json'
    case 'computed':
      return isJsonObject(field.schema) && field.schema.type === 'object'
    default:
      return false
  }
}
