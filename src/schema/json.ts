import { UploadedFile } from './uploaded-file.ts'

// Node has both; the compiler's library does not name them yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown
    parse(text: string, reviver: (key: string, value: Json, context: { readonly source?: string }) => unknown): unknown
  }
}

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** Whether a value is a JSON object; files and numbers as they were written are none. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof WrittenScalar) &&
  !(value instanceof UploadedFile)

/** The documents of a list; none if the value is not a list. */
export const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item: Json) => isJsonObject(item)) : []

/** The strings in a list; none in any other value. */
export const stringsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/**
 * The value under a name that comes from outside. A name such as `constructor` does not find anything that every object
 * inherits.
 */
export const ownValue = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** An empty object for names from outside: `__proto__` is an ordinary name, and nothing is inherited. */
export const emptyRecord = <Value>(): Record<string, Value> => Object.create(null)

/** Maximum number of characters, and of digits, of a stored number. */
const LONGEST_NUMBER = 1_000

/** Digits that a floating-point number always keeps. */
const KEPT_DIGITS = 15

/**
 * A number or boolean with its text: a number of JSON that JavaScript would write differently, such as 9007199254740993
 * or 1.0, and every plain number and boolean of YAML (`YamlScalar`), since only its field determines whether `12E4` and
 * `08` are texts.
 */
export class WrittenScalar {
  readonly text: string
  /** The text as JavaScript reads it. */
  readonly value: number | boolean

  constructor(text: string, value: number | boolean) {
    this.text = text
    this.value = value
  }

  toString(): string {
    return this.text
  }

  /** The number with all its digits, for JSON.stringify. */
  toJSON(): unknown {
    const literal = jsonNumber(this)
    return literal === undefined ? this.value : JSON.rawJSON(literal)
  }
}

/** A number or boolean of YAML, which a text field stores as it is written. */
export class YamlScalar extends WrittenScalar {}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The text of a number in JSON; undefined for booleans, and for notations that only YAML has, such as 0x1F. */
function jsonNumber({ text, value }: WrittenScalar): string | undefined {
  if (typeof value !== 'number') return undefined
  if (JSON_NUMBER.test(text)) return text
  const decimal = text.replace(/^([+-]?)0+(?=\d)/, '$1').replace(/^\+/, '')
  return JSON_NUMBER.test(decimal) ? decimal : undefined
}

/** A number of JSON, kept exactly: with its text if a JavaScript number would change it. */
function exactNumber(text: string): number | WrittenScalar {
  const value = Number(text)
  if (String(value) === text || text === '-0') return value
  if (/e/i.test(text) && isRepresented(text, value)) return value
  return new WrittenScalar(text, value)
}

/** Whether a number in exponential notation has no more digits than its floating-point number. */
function isRepresented(text: string, value: number): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/[^\d]/g, '').replace(/^0+/, '')
  return digits.length <= KEPT_DIGITS && Number.isFinite(value) && (value !== 0 || digits === '')
}

/** Finds all numbers that need their text, but also some that do not, and similar texts. */
const MAY_BE_INEXACT = /[\d.]{16}|\.\d*0[\s,\]}]|\.\d*0$|\d[eE][+-]?\d/

/** Whether `parseJson` of the text can contain `WrittenScalar`. */
export const mayBeInexact = (text: string): boolean => MAY_BE_INEXACT.test(text)

/** As JSON.parse, but keeps every number: those that JavaScript would change become `WrittenScalar`. Throws SyntaxError. */
export const parseJson = (text: string): unknown =>
  mayBeInexact(text)
    ? JSON.parse(text, (_name, value, { source }) =>
        typeof value === 'number' && source !== undefined ? exactNumber(source) : value,
      )
    : JSON.parse(text)

/** Whether PostgreSQL and other programs can keep the number. */
export function isStorableNumber({ text, value }: WrittenScalar): boolean {
  if (typeof value !== 'number') return true
  if (text.length > LONGEST_NUMBER) return false
  return !/e/i.test(text) || (Number.isFinite(value) && (value !== 0 || !/[1-9].*e/i.test(text)))
}

/** The document without scalars of YAML, as if it had been parsed from an equal JSON text. */
export const asJson = (value: unknown): unknown =>
  mapScalars(value, (scalar) => {
    const literal = jsonNumber(scalar)
    return literal === undefined ? scalar.value : exactNumber(literal)
  })

/** The document with JavaScript's numbers. */
export const asPlain = (value: unknown): unknown => mapScalars(value, (scalar) => scalar.value)

/** The document with texts in place of scalars. */
export const asTexts = (value: unknown): unknown => mapScalars(value, (scalar) => scalar.text)

/** A copy in which scalars are replaced; the same document if it has none. */
function mapScalars(value: unknown, replace: (scalar: WrittenScalar) => unknown): unknown {
  if (value instanceof WrittenScalar) return replace(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => mapScalars(item, replace))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isJsonObject(value) || !isPlainObject(value)) return value
  const entries = Object.entries(value)
  const mapped = entries.map(([name, item]) => [name, mapScalars(item, replace)] as const)
  return mapped.every(([, item], index) => item === entries[index]?.[1]) ? value : Object.fromEntries(mapped)
}

/** Files of forms are left unchanged. */
const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
