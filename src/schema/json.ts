/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** Whether a value is a JSON object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The documents of a list; none where the value is no list. */
export const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((each: Json) => isJsonObject(each)) : []

/** The value of a name that comes from outside. A name such as `constructor` finds nothing that every object inherits. */
export const ownValue = <Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined)

/** An empty object for names that come from outside: `__proto__` is a name like any other, and nothing is inherited. */
export const emptyRecord = <Value>(): Record<string, Value> => Object.create(null)
