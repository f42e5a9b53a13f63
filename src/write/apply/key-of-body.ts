import type { JsonObject } from '../../schema/json.ts'
import { type NaturalKey, naturalKeys } from '../../schema/natural-key.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'

/** Keys in the order in which bodies are matched: fields that every object has first, optional ones such as asset tags last. */
const keysInOrder = oncePer((model: Model): readonly NaturalKey[] => {
  const { naturalKey } = model.definition
  const isAlwaysThere = ({ fields }: NaturalKey): boolean =>
    fields.every((name) => {
      const field = model.fields.get(name)
      return !(field && 'nullable' in field && field.nullable)
    })
  const keys = naturalKeys(model)
  return [
    ...(naturalKey ? [{ fields: naturalKey, absent: naturalKey }] : []),
    ...keys.filter(isAlwaysThere),
    ...keys.filter((key) => !isAlwaysThere(key) && key.fields.length > 1),
    ...keys.filter((key) => !isAlwaysThere(key) && key.fields.length === 1),
  ]
})

/** Names of the fields that identify the object of the body; undefined where it has none of the model's keys. */
export function keyOfBody(model: Model, body: JsonObject): readonly string[] | undefined {
  const has = (name: string): boolean => (body[name] ?? null) !== null
  const key = keysInOrder(model).find(
    ({ fields, absent }) =>
      fields.some(has) &&
      fields.every((name) => has(name) || absent.includes(name)) &&
      absent.every((name) => fields.includes(name) || !has(name)),
  )
  return key && [...new Set([...key.fields, ...key.absent])]
}
