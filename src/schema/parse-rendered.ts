import { isJsonObject, type Json, type JsonObject, mayBeInexact, parseJson } from './json.ts'
import { oncePer } from './once-per.ts'
import type { Model } from './registry.ts'

/**
 * An object of the model in a response of the API. Numbers are exact in documents and custom fields; elsewhere they are
 * JavaScript numbers.
 */
export function parseRendered(model: Model, text: string): JsonObject {
  const object = JSON.parse(text) as JsonObject // an object of a response
  if (!mayBeInexact(text)) return object
  const documents = documentsOf(model).filter((name) => hasNumbers(object[name]))
  if (documents.length === 0) return object
  const exact = parseJson(text) as JsonObject // the same object
  return { ...object, ...Object.fromEntries(documents.map((name) => [name, exact[name] ?? null])) }
}

/** Whether the document can contain a number. */
const hasNumbers = (document: Json | undefined): boolean =>
  typeof document === 'number' || (typeof document === 'object' && Object.keys(document ?? {}).length > 0)

/** Names of the fields whose values are documents. */
const documentsOf = oncePer(({ fields }: Model): readonly string[] =>
  [...fields].flatMap(([name, field]) => {
    const isDocument =
      field.kind === 'json' ||
      field.kind === 'customFields' ||
      (field.kind === 'list' && field.of === 'json') ||
      (field.kind === 'computed' && isJsonObject(field.schema) && field.schema.type === 'object')
    return isDocument ? [name] : []
  }),
)
