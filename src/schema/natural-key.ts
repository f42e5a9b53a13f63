import { oncePer } from './once-per.ts'
import type { Model } from './registry.ts'

/** Fields whose values identify an object of a model. */
export interface NaturalKey {
  readonly fields: readonly string[]
  /** Fields that have no value in objects that the key identifies. */
  readonly absent: readonly string[]
}

/** The keys of a model: its unique fields, then its unique combinations, each in the order of their declaration. */
export const naturalKeys = oncePer(({ fields, definition }: Model): readonly NaturalKey[] => {
  const single = [...fields].flatMap(([name, field]) =>
    'unique' in field && field.unique ? [{ fields: [name], absent: [] }] : [],
  )
  const combined = (definition.unique ?? [])
    .filter(({ whereNotNull, whereNotEmpty }) => !whereNotNull && !whereNotEmpty)
    .map((unique) => ({ fields: unique.fields, absent: unique.whereNull ?? [] }))
  return [...single, ...combined]
})

/**
 * Keys in the order in which they identify objects: first fields that every object has, last optional ones such as
 * asset tags.
 */
export const keysInOrder = oncePer((model: Model): readonly NaturalKey[] => {
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

/**
 * Names of the fields that identify the object with these values, including fields without a value; undefined if no key
 * of the model applies.
 */
export function keyOfObject(model: Model, values: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const has = (name: string): boolean => (values[name] ?? null) !== null
  const key = keysInOrder(model).find(
    ({ fields, absent }) =>
      fields.some(has) &&
      fields.every((name) => has(name) || absent.includes(name)) &&
      absent.every((name) => fields.includes(name) || !has(name)),
  )
  return key && [...new Set([...key.fields, ...key.absent])]
}

/** Whether the model compares the field case-insensitively for uniqueness. */
export const ignoresCase = ({ definition }: Model, name: string): boolean =>
  (definition.unique ?? []).some(({ ignoreCase }) => ignoreCase?.includes(name))
