import { kindOf, type StoredField } from '../schema/field.ts'
import { printed, restoredList, restoredText, WrongValue } from '../schema/fields/kind.ts'
import { asPlain, isJsonObject, type Json } from '../schema/json.ts'

/** The id of a nested object. */
const id = (value: Json): number => {
  const id = isJsonObject(value) ? value.id : value
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) {
    throw new WrongValue(`an id is expected, not ${printed(value)}`)
  }
  return id
}

/** The row's value of a field that has a column of the field's name. Throws WrongValue. */
export function parseStored(value: Json | undefined, field: StoredField): unknown {
  if (value !== null && value !== undefined) {
    const isDocument = field.kind === 'json' || (field.kind === 'list' && field.of === 'json')
    const read = (isDocument ? value : asPlain(value)) as NonNullable<Json>
    if (field.kind === 'foreignKey') return id(read)
    return (kindOf(field).restore ?? restoredText)(read, field)
  }
  // Responses show '' as null; '' is restored if it is the default.
  if (field.kind === 'choice' && field.default === '') return ''
  if (field.nullable) return null
  if (field.default !== undefined) return field.default
  const start = field.kind === 'foreignKey' ? undefined : kindOf(field).empty
  if (start === undefined) throw new WrongValue('a value is missing')
  return start
}

/** Ids of a many to many relation, or of tags. */
export const parseIds = (value: Json | undefined): readonly number[] =>
  value === null || value === undefined ? [] : restoredList(value).map(id)

/** Slugs of a many to many relation that responses show as slugs. */
export const parseSlugs = (value: Json | undefined): readonly string[] =>
  value === null || value === undefined ? [] : restoredList(value).map((slug) => restoredText(slug ?? ''))

/** Both columns of a generic relation; they are null together. */
export function parseGeneric(
  type: Json | undefined,
  target: Json | undefined,
): readonly [string | null, number | null] {
  if (type == null || target == null) return [null, null]
  return [restoredText(type), id(target)]
}
