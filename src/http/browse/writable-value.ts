import { isJsonObject, type Json } from '../../schema/json.ts'

/** A value of an answer as a body takes it: related objects by their ids, choices by their values. */
export function writableValue(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(writableValue)
  if (!isJsonObject(value)) return value ?? null
  if ('url' in value && value.id !== undefined) return value.id
  if ('value' in value && 'label' in value) return value.value ?? null
  // Such as the values of custom fields.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, writableValue(each)]),
  )
}
