import { isJsonObject, type Json } from '../../../schema/json.ts'

/** A value of a response as a request body takes it: related objects as ids, choices as values. */
export function writableValue(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(writableValue)
  if (!isJsonObject(value)) return value ?? null
  if ('url' in value && value.id !== undefined) return value.id
  if ('value' in value && 'label' in value) return value.value ?? null
  // Objects such as the values of custom fields.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, writableValue(each)]),
  )
}
