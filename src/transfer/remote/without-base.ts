import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'

/** Placeholder for the address of the service in a data set. */
const BASE = '{base}'

/** The object with `{base}` in place of the service's address; texts written by people are not changed. */
export function withoutBase(model: Model, object: JsonObject, base: string): JsonObject {
  const cut = (value: Json): Json =>
    typeof value === 'string' && value.startsWith(`${base}/`)
      ? BASE + value.slice(base.length)
      : value
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isJsonObject(value)) return value
    const isObject = typeof value.id === 'number'
    return mapValues(value, (inner, name) =>
      isObject && (name === 'url' || name === 'display_url') ? cut(inner) : visit(inner),
    )
  }
  return mapValues(object, (value, name) => {
    const kind = model.fields.get(name)?.kind
    if (kind === 'json') return value
    const isAddress = kind === 'file' || name === 'url' || name === 'display_url'
    return isAddress ? cut(value) : visit(value)
  })
}

const mapValues = (object: JsonObject, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
