import type { FieldKind, StoredField } from '../schema/field.ts'
import { isJsonObject, type Json } from '../schema/json.ts'
import { WrongValue } from './broken-row.ts'

type Parse<K extends StoredField['kind']> = (
  value: NonNullable<Json>,
  field: Extract<StoredField, { kind: K }>,
) => unknown

const text = (value: NonNullable<Json>): string => {
  if (typeof value !== 'string') throw new WrongValue(`a text is expected, not ${shown(value)}`)
  return value
}

const array = (value: NonNullable<Json>): readonly Json[] => {
  if (!Array.isArray(value)) throw new WrongValue(`a list is expected, not ${shown(value)}`)
  return value
}

/** A nested object stands for its id, a choice for its value. */
const inner = (value: Json, name: 'id' | 'value'): Json =>
  isJsonObject(value) ? (value[name] ?? null) : value

const id = (value: Json): number => {
  const given = inner(value, 'id')
  if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < 1) {
    throw new WrongValue(`an id is expected, not ${shown(value)}`)
  }
  return given
}

/** Part of a file's address in front of its path below the media directory. */
const MEDIA = /^.*?\/media\//

/** Path of a file below the media directory. */
function filePath(address: string): string {
  const path = address.replace(MEDIA, '')
  try {
    return decodeURIComponent(path)
  } catch {
    // Not encoded: a name with a percent sign.
    return path
  }
}

/** How the value of an answer becomes the value of a row; see write/values.ts for the latter. */
const PARSERS: { readonly [K in StoredField['kind']]: Parse<K> } = {
  text: (value, { max }) => {
    const given = text(value)
    if (max !== undefined && [...given].length > max) {
      throw new WrongValue(`the text is longer than ${max} characters`)
    }
    return given
  },
  integer: (value) => {
    if (!Number.isSafeInteger(value)) {
      throw new WrongValue(`a whole number is expected, not ${shown(value)}`)
    }
    return value
  },
  decimal: (value) => {
    if (typeof value !== 'number' && !(typeof value === 'string' && isNumeric(value))) {
      throw new WrongValue(`a number is expected, not ${shown(value)}`)
    }
    return String(value)
  },
  boolean: (value) => {
    if (typeof value !== 'boolean') {
      throw new WrongValue(`true or false is expected, not ${shown(value)}`)
    }
    return value
  },
  date: text,
  dateTime: text,
  json: (value) => value,
  uuid: text,
  choice: (value, { choices }) => {
    const given = inner(value, 'value')
    const isKnown = (typeof given === 'string' || typeof given === 'number') && given !== ''
    if (isKnown && !choices.labels.has(given)) {
      throw new WrongValue(`${shown(given)} is not one of the choices`)
    }
    return given
  },
  address: text,
  network: text,
  hardwareAddress: text,
  file: (value) => filePath(text(value)),
  list: (value, { of }) =>
    array(value).map((item) => (of === 'json' ? item : inner(item, 'value'))),
  objectTypes: (value) => array(value).map((item) => text(item ?? '')),
  objectType: text,
  foreignKey: id,
}

/** The row's value of a field whose column rows carry under the field's name. Throws WrongValue. */
export function parseStored(value: Json | undefined, field: StoredField): unknown {
  if (value !== null && value !== undefined) {
    return (PARSERS[field.kind] as (value: Json, field: StoredField) => unknown)(value, field)
  }
  // '' is shown as null too; it is what a new object gets where it is the default.
  if (field.kind === 'choice' && field.default === '') return ''
  if (field.nullable) return null
  if (field.default !== undefined) return field.default
  const start = STARTS[field.kind]
  if (start === undefined) throw new WrongValue('a value is missing')
  return start
}

/** What stands for null in columns that cannot hold it. */
const STARTS: Partial<Record<FieldKind, unknown>> = {
  text: '',
  choice: '',
  file: '',
  list: [],
  objectTypes: [],
  boolean: false,
}

/** Ids of a many to many relation, or of tags. */
export const parseIds = (value: Json | undefined): readonly number[] =>
  value === null || value === undefined ? [] : array(value).map(id)

/** Slugs of a many to many relation that is shown by them. */
export const parseSlugs = (value: Json | undefined): readonly string[] =>
  value === null || value === undefined ? [] : array(value).map((slug) => text(slug ?? ''))

/** Both columns of a generic relation: they are null together. */
export function parseGeneric(
  type: Json | undefined,
  target: Json | undefined,
): readonly [string | null, number | null] {
  if (type == null || target == null) return [null, null]
  return [text(type), id(target)]
}

export const isNumeric = (value: string): boolean => value.trim() !== '' && !Number.isNaN(+value)

const shown = (value: unknown): string => {
  const whole = JSON.stringify(value) ?? 'nothing'
  return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole
}
