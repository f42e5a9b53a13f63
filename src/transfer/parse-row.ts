import { isStored } from '../schema/column.ts'
import { kindOf, type StoredField } from '../schema/field.ts'
import { printed, restoredList, restoredText, WrongValue } from '../schema/fields/kind.ts'
import { genericKeys } from '../schema/generic-keys.ts'
import { asPlain, isJsonObject, type Json, type JsonObject, objectsIn } from '../schema/json.ts'
import { RECORDED_DISPLAY } from '../schema/packs/pack-document.ts'
import type { Model } from '../schema/registry.ts'
import { type CustomFieldTypes, parseImportedCustomFields } from './custom-fields.ts'

/** The id of a nested object. */
const id = (value: Json): number => {
  const id = isJsonObject(value) ? value.id : value
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) {
    throw new WrongValue(`an id is expected, not ${printed(value)}`)
  }
  return id
}

/** The row's value of a field that has a column of the field's name. Throws WrongValue. */
function parseStored(value: Json | undefined, field: StoredField): unknown {
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
const parseIds = (value: Json | undefined): readonly number[] =>
  value === null || value === undefined ? [] : restoredList(value).map(id)

/** Slugs of a many to many relation that responses show as slugs. */
const parseSlugs = (value: Json | undefined): readonly string[] =>
  value === null || value === undefined ? [] : restoredList(value).map((slug) => restoredText(slug ?? ''))

/** Both columns of a generic relation; they are null together. */
function parseGeneric(type: Json | undefined, target: Json | undefined): readonly [string | null, number | null] {
  if (type == null || target == null) return [null, null]
  return [restoredText(type), id(target)]
}

/** A row by row key, with ids (or slugs) of many to many fields and tags; see write/rows.ts. */
export type ImportedRow = Record<string, unknown> & { id: number }

/**
 * Turns an object of a response into a row: nested objects become ids, choices their values. Missing fields get their
 * defaults, timestamps of saving get `now`; derived columns are computed if the row alone is enough. Throws WrongValue
 * naming the field.
 */
export function parseRow(model: Model, object: JsonObject, customFields: CustomFieldTypes, now: string): ImportedRow {
  const id = object.id
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) {
    throw new WrongValue('id: a positive whole number is expected')
  }
  const row: ImportedRow = { id }
  for (const [name, field] of model.fields) {
    const at = <T>(parse: () => T): T => named(name, parse)
    if (isStored(field) && field.compute) continue
    if (isStored(field)) {
      const value = name === RECORDED_DISPLAY ? object.display : shownValue(object, name)
      const isSavingTime = field.kind === 'dateTime' && field.auto !== undefined
      row[name] = isSavingTime && value === undefined ? now : at(() => parseStored(value, field))
    } else if (field.kind === 'genericForeignKey') {
      const { type, id: target } = genericKeys(name, field)
      ;[row[type], row[target]] = at(() => parseGeneric(object[type], object[target]))
    } else if (field.kind === 'manyToMany' && field.write === 'slug') {
      row[name] = at(() => parseSlugs(object[name]))
    } else if (field.kind === 'manyToMany' || field.kind === 'tags') {
      // Responses may contain the list only as part of a joined one.
      if (row[name] === undefined || object[name] !== undefined) row[name] = at(() => parseIds(object[name]))
    } else if (field.kind === 'computed' && field.joins) {
      const items = objectsIn(object[name])
      for (const [to, list] of Object.entries(field.joins)) {
        row[list] = at(() => parseIds(items.filter((item) => `${item.app_label}.${item.model}` === to)))
      }
    } else if (field.kind === 'customFields') {
      row[name] = at(() => parseImportedCustomFields(object[name], customFields))
    } else if (field.kind === 'counter') {
      row[name] = 0
    }
  }
  if (model.definition.tree) Object.assign(row, { _level: 0, _ancestors: [], _sort: [] })
  for (const [name, field] of model.fields) {
    if (isStored(field) && field.compute) row[name] = field.compute(row)
  }
  return row
}

/** Foreign keys that responses do not show are under the name of their column. */
const shownValue = (object: JsonObject, name: string): Json | undefined =>
  object[name] === undefined ? object[`${name}_id`] : object[name]

function named<T>(name: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof WrongValue) throw new WrongValue(`${name}: ${error.message}`)
    throw error
  }
}
