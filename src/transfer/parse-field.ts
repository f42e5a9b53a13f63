import type { FieldKind, StoredField } from '../schema/field.ts'
import { asPlain, isJsonObject, type Json } from '../schema/json.ts'
import { WrongValue } from './broken-row.ts'

type Parse<K extends StoredField['kind']> = (
  value: NonNullable<Json>,
  field: Extract<StoredField, { kind: K }>,
) => unknown

const text = (value: NonNullable<Json>): string => {
  if (typeof value !== 'string') throw new WrongValue(`a text is expected, not ${printed(value)}`)
  return value
}

const array = (value: NonNullable<Json>): readonly Json[] => {
  if (!Array.isArray(value)) throw new WrongValue(`a list is expected, not ${printed(value)}`)
  return value
}

/** The id of a nested object, or the value of a choice. */
const inner = (value: Json, name: 'id' | 'value'): Json =>
  isJsonObject(value) ? (value[name] ?? null) : value

const id = (value: Json): number => {
  const id = inner(value, 'id')
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) {
    throw new WrongValue(`an id is expected, not ${printed(value)}`)
  }
  return id
}

/** Part of a file's address before its path below the media directory. */
const MEDIA = /^.*?\/media\//

/** Path of a file below the media directory. */
function filePath(address: string): string {
  const path = address.replace(MEDIA, '')
  try {
    return decodeURIComponent(path)
  } catch {
    // Not encoded: the name contains a percent sign.
    return path
  }
}

/** Conversions from the value of a response to the value of a row (write/parse/values.ts). */
const PARSERS: { readonly [K in StoredField['kind']]: Parse<K> } = {
  text: (value, { max }) => {
    const string = text(value)
    if (max !== undefined && [...string].length > max) {
      throw new WrongValue(`the text is longer than ${max} characters`)
    }
    return string
  },
  integer: (value) => {
    if (!Number.isSafeInteger(value)) {
      throw new WrongValue(`a whole number is expected, not ${printed(value)}`)
    }
    return value
  },
  decimal: (value) => {
    if (typeof value !== 'number' && !(typeof value === 'string' && isNumeric(value))) {
      throw new WrongValue(`a number is expected, not ${printed(value)}`)
    }
    return String(value)
  },
  boolean: (value) => {
    if (typeof value !== 'boolean') {
      throw new WrongValue(`true or false is expected, not ${printed(value)}`)
    }
    return value
  },
  date: text,
  dateTime: text,
  json: (value) => value,
  uuid: text,
  choice: (value, { choices }) => {
    const choice = inner(value, 'value')
    const isKnown = (typeof choice === 'string' || typeof choice === 'number') && choice !== ''
    if (isKnown && !choices.labels.has(choice)) {
      throw new WrongValue(`${printed(choice)} is not one of the choices`)
    }
    return choice
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

/** The row's value of a field that has a column of the field's name. Throws WrongValue. */
export function parseStored(value: Json | undefined, field: StoredField): unknown {
  if (value !== null && value !== undefined) {
    const isDocument = field.kind === 'json' || (field.kind === 'list' && field.of === 'json')
    const read = isDocument ? value : (asPlain(value) as Json)
    return (PARSERS[field.kind] as (value: Json, field: StoredField) => unknown)(read, field)
  }
  // Responses show '' as null; '' is restored where it is the default.
  if (field.kind === 'choice' && field.default === '') return ''
  if (field.nullable) return null
  if (field.default !== undefined) return field.default
  const start = STARTS[field.kind]
  if (start === undefined) throw new WrongValue('a value is missing')
  return start
}

/** Values that stand for null in columns that cannot hold it. */
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

/** Slugs of a many to many relation that responses show as slugs. */
export const parseSlugs = (value: Json | undefined): readonly string[] =>
  value === null || value === undefined ? [] : array(value).map((slug) => text(slug ?? ''))

/** Both columns of a generic relation; they are null together. */
export function parseGeneric(
  type: Json | undefined,
  target: Json | undefined,
): readonly [string | null, number | null] {
  if (type == null || target == null) return [null, null]
  return [text(type), id(target)]
}

export const isNumeric = (value: string): boolean => value.trim() !== '' && !Number.isNaN(+value)

const printed = (value: unknown): string => {
  const whole = JSON.stringify(value) ?? 'nothing'
  return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole
}
