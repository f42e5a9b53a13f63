import { hasAllowedScheme } from './fields/text.ts'
import { asJson, asPlain, asTexts, WrittenScalar, YamlScalar } from './json.ts'
import { checkSchema } from './json-schema.ts'
import { linearExpression } from './linear-expression.ts'
import { chosenValue } from './selection-shape.ts'
import { isDate, parseTimestamp, toIso } from './timestamp.ts'

/** The parts of a custom field that determine its values. */
export interface CustomFieldDefinition {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly unique: boolean
  readonly default: unknown
  /** `app.model` for object and multiobject. */
  readonly relatedType: string | null
  readonly minimum: number | null
  readonly maximum: number | null
  /** '' for none. */
  readonly pattern: string
  readonly schema: unknown
  /** Allowed values; undefined if the set uses a published list that is not stored here. */
  readonly choices: readonly string[] | undefined
}

/** Null and the empty text mean that there is no value. */
export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Error message for a value (related objects as ids), or undefined. */
export function complainOf(field: CustomFieldDefinition, value: unknown): string | undefined {
  if (isEmpty(value)) return field.required ? 'A required field cannot be empty.' : undefined
  const check = CHECKS[field.type]
  if (!check) throw new Error(`Custom field ${field.name} has the unknown type ${field.type}`)
  return check(field, value)
}

/** Stored form of a value: timestamps with a T between date and time, selections as lists, URLs with a scheme. */
export function normalize(field: CustomFieldDefinition, value: unknown): unknown {
  if (field.type === 'multiselect' && typeof value === 'string' && value !== '') return [value]
  if (field.type === 'url' && typeof value === 'string' && value !== '') return withScheme(value)
  const timestamp = field.type === 'datetime' && typeof value === 'string' ? parseTimestamp(value) : undefined
  return timestamp ? toIso(timestamp) : value
}

/** A scheme, unless the text before the colon is a host and the rest the number of a port. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i

/** `example.com` is an address of the web, as in NetBox 4.7.3. */
export const withScheme = (url: string): string =>
  hasAllowedScheme(url) || SCHEME.test(url) ? url : `https://${url.replace(/^\/\//, '')}`

/**
 * A value of a body (without related objects) as the field reads it: numbers exactly, and texts of YAML as they are
 * written.
 */
export function typedInput({ type }: CustomFieldDefinition, value: unknown): unknown {
  switch (type) {
    case 'integer':
    case 'decimal':
    case 'json':
      return asJson(value)
    case 'boolean':
      return asPlain(value)
    case 'select':
      return asTexts(chosenValue(value))
    case 'multiselect':
      return asTexts(Array.isArray(value) ? value.map(chosenValue) : value)
    default:
      return value instanceof YamlScalar || Array.isArray(value) ? asTexts(value) : asJson(value)
  }
}

const DECIMAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

type Check = (field: CustomFieldDefinition, value: unknown) => string | undefined

const CHECKS: Readonly<Record<string, Check>> = {
  text: checkText,
  longtext: checkText,
  url: (field, value) =>
    typeof value === 'string' && SCHEME.test(value) && !hasAllowedScheme(value)
      ? 'The scheme of the URL is not allowed. Use https, for example.'
      : checkText(field, value),
  integer: (field, value) => {
    if (value instanceof WrittenScalar && /^-?\d+$/.test(value.text)) {
      return checkBounds(field, BigInt(value.text))
    }
    return typeof value === 'number' && Number.isInteger(value)
      ? checkBounds(field, value)
      : 'The value must be an integer.'
  },
  decimal: (field, value) => {
    if (value instanceof WrittenScalar) return checkBounds(field, Number(value.value))
    if (typeof value === 'number' || typeof value === 'boolean') {
      return checkBounds(field, Number(value))
    }
    // Like NetBox, accepts numbers as text unless they have to be compared.
    const isBounded = field.minimum !== null || field.maximum !== null
    return typeof value === 'string' && DECIMAL.test(value) && !isBounded
      ? undefined
      : 'The value must be a decimal number.'
  },
  boolean: (_field, value) =>
    value === true || value === false || value === 1 || value === 0 ? undefined : 'The value must be true or false.',
  date: (_field, value) =>
    typeof value === 'string' && isDate(value) ? undefined : 'Date values must be in ISO 8601 format (YYYY-MM-DD).',
  datetime: (_field, value) =>
    typeof value === 'string' && parseTimestamp(value)
      ? undefined
      : 'Date and time values must be in ISO 8601 format (YYYY-MM-DD HH:MM:SS).',
  json: (field, value) => (field.schema ? checkSchema(field.schema, value) : undefined),
  select: (field, value) =>
    typeof value === 'string' && (field.choices?.includes(value) ?? true)
      ? undefined
      : `Invalid choice (${textOfValue(value)}).`,
  multiselect: (field, value) => {
    const values = typeof value === 'string' ? [value] : value
    if (!Array.isArray(values)) return 'The value must be a list of choices.'
    const wrong = values.filter((item) => typeof item !== 'string' || !(field.choices?.includes(item) ?? true))
    return wrong.length > 0 ? `Invalid choices (${wrong.map(textOfValue).join(', ')}).` : undefined
  },
  object: (_field, value) =>
    typeof value === 'number' && Number.isInteger(value)
      ? undefined
      : `The value must be an object's id, not ${textOfValue(value)}.`,
  multiobject: (_field, value) =>
    Array.isArray(value) && value.every((item) => Number.isInteger(item))
      ? undefined
      : 'The value must be a list of ids of objects.',
}

function checkText({ pattern }: CustomFieldDefinition, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'The value must be a string.'
  if (pattern === '') return undefined
  const matches = matchesFromStart(pattern, value)
  // Imported objects may contain expressions that could not be saved here.
  if (matches === undefined) return `The regular expression ${pattern} cannot be used.`
  return matches ? undefined : `The value must match the regular expression ${pattern}.`
}

/** Match like Python's re.match, anchored at the start only. Undefined for an unsupported expression. */
export const matchesFromStart = (pattern: string, value: string): boolean | undefined =>
  linearExpression(pattern)?.matchesStart(value)

function checkBounds({ minimum, maximum }: CustomFieldDefinition, value: number | bigint): string | undefined {
  if (minimum !== null && value < minimum) return `The value must be at least ${minimum}.`
  if (maximum !== null && value > maximum) return `The value must not exceed ${maximum}.`
  return undefined
}

const textOfValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
