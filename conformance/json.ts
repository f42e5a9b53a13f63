/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/** True for an object that is neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for an array. `Array.isArray` alone does not narrow a readonly array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The value as JSON, truncated after `limit` characters, for messages. */
export function short(value: Json | undefined, limit = 160): string {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value)
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}
