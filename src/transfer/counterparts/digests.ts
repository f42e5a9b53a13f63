import { hash } from 'node:crypto'
import { type Column, isStored } from '../../schema/column.ts'
import type { Field } from '../../schema/field.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { comparable } from '../../write/values.ts'

/** Short hashes of an object's values by name, without empty ones. Values of custom fields have names of their own. */
export type Digests = Readonly<Record<string, string>>

type AnyRow = Readonly<Record<string, unknown>>

const LENGTH = 10
const CUSTOM = 'custom_fields.'

/** Name of the time of creation in digests, which tells whether an id still means the same object. */
export const CREATED = 'created'

/** The fields that an import follows, and their columns. */
const followedFields = oncePer((model: Model): readonly (readonly [string, Field, readonly Column[]])[] =>
  [...model.fields].flatMap(([name, field]) => {
    if (name.startsWith('_') || ('hidden' in field && field.hidden) || field.kind === 'counter') return []
    if (isStored(field) && (field.compute || (field.kind === 'dateTime' && field.auto))) return []
    const isList = field.kind === 'tags' || (field.kind === 'manyToMany' && field.inverse === undefined)
    // Responses name the targets of some relations by slugs, which rows do not contain.
    if (isList && field.kind === 'manyToMany' && field.write === 'slug') return []
    const columns = [...model.columns.values()].filter((column) => column.field === field)
    return isList || columns.length > 0 ? [[name, field, columns] as const] : []
  }),
)

/** Digests of the values that the source shows: `object` as read, `row` with the ids here. */
export function digestsOfSource(model: Model, row: AnyRow, object: JsonObject): Digests {
  return { ...digestsOf(model, row, (name, field) => isInObject(object, name, field)), ...creation(model, row, object) }
}

/** Digests of a row here. */
export const digestsOfRow = (model: Model, row: AnyRow): Digests => digestsOf(model, row, () => true)

/** Only the time of creation; nothing for a model without one, or if `object`, as it was read, does not have it. */
export function creation(model: Model, row: AnyRow, object?: JsonObject): Digests {
  const name = creationField(model)
  if (name === undefined || (object && object[name] === undefined)) return {}
  const value = row[name]
  return typeof value === 'string' ? { [CREATED]: digest(plainTime(value)) } : {}
}

/** Name of the field with the time of creation. */
export const creationField = oncePer(
  ({ fields }: Model): string | undefined =>
    [...fields].find(([, field]) => field.kind === 'dateTime' && field.auto === 'insert')?.[0],
)

function digestsOf(model: Model, row: AnyRow, isGiven: (name: string, field: Field) => boolean): Digests {
  const digests: Record<string, string> = {}
  for (const [name, field, columns] of followedFields(model)) {
    if (!isGiven(name, field)) continue
    if (field.kind === 'customFields') {
      const values = row[name]
      if (!isJsonObject(values)) continue
      for (const [key, value] of Object.entries(values)) {
        if (!isEmpty(value)) digests[CUSTOM + key] = digest(sortedText(value))
      }
    } else if (field.kind === 'tags' || field.kind === 'manyToMany') {
      const ids = row[name]
      if (Array.isArray(ids) && ids.length > 0) digests[name] = digest(ids.toSorted().join())
    } else {
      const texts = columns.map((column) => textOf(column, row[column.key]))
      if (texts.some((text) => text !== '')) digests[name] = digest(texts.join('\n'))
    }
  }
  return digests
}

const isInObject = (object: JsonObject, name: string, field: Field): boolean => {
  if (field.kind === 'genericForeignKey') return object[genericKeys(name, field).id] !== undefined
  return object[name] !== undefined || object[`${name}_id`] !== undefined
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0)

/** The text of a value, the same for all forms in which equal values occur; '' if it is empty. */
function textOf(column: Column, value: unknown): string {
  if (isEmpty(value)) return ''
  if (column.type.startsWith('json')) return sortedText(value)
  if (column.type.startsWith('numeric')) return String(Number(value))
  if (column.type.startsWith('timestamp')) return plainTime(String(value))
  if (column.field.kind === 'objectTypes' && Array.isArray(value)) return value.toSorted().join()
  return comparable(column, value) ?? ''
}

/** A time without zeros at the end of its fraction. */
const plainTime = (text: string): string => text.replace(/(\.\d*?)0+Z$/, '$1Z').replace(/\.Z$/, 'Z')

/** JSON with the names of objects in order, as the database does not keep theirs. */
const sortedText = (value: unknown): string =>
  JSON.stringify(value, (_name, item: Json) =>
    isJsonObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  )

const digest = (text: string): string => hash('md5', text, 'base64url').slice(0, LENGTH)

/** Copies the value with this name in digests from one row to another. */
export function copyValue(model: Model, name: string, from: AnyRow, to: Record<string, unknown>): void {
  if (name.startsWith(CUSTOM)) {
    const key = name.slice(CUSTOM.length)
    const [values, current] = [from.custom_fields, to.custom_fields]
    const value = isJsonObject(values) ? (values[key] ?? null) : null
    to.custom_fields = { ...(isJsonObject(current) ? current : {}), [key]: value }
    return
  }
  const field = model.fields.get(name)
  if (field?.kind === 'genericForeignKey') {
    const { type, id } = genericKeys(name, field)
    to[type] = from[type]
    to[id] = from[id]
  } else {
    to[name] = from[name]
  }
}

/** Whether the value with this name can refer to other objects. */
export const isReference = (model: Model, name: string): boolean => {
  const kind = model.fields.get(name)?.kind
  return name.startsWith(CUSTOM) || ['foreignKey', 'genericForeignKey', 'manyToMany', 'tags'].includes(String(kind))
}
