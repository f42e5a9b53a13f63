import type { ChoiceSet } from '../../schema/choices.ts'
import type { CustomFieldDefinition } from '../../schema/custom-value.ts'
import type { Field, ListItem } from '../../schema/field.ts'
import { asJson, parseJson } from '../../schema/json.ts'

/** A value for a body, or why the cell cannot be read. */
export type CellValue = { readonly value: unknown } | { readonly message: string }

const read = (value: unknown): CellValue => ({ value })

/** Cells without a value. */
export const isEmptyCell = (input: unknown): boolean =>
  input === undefined || input === null || input === ''

/** The value of a cell for a field of a body; the pipeline of writes validates it. */
export function cellValue(field: Field, input: unknown): CellValue {
  switch (field.kind) {
    case 'choice':
      return read(choiceValue(field.choices, input))
    case 'boolean':
      return booleanValue(input)
    case 'list':
      return listValue(field.of, input)
    case 'objectTypes':
      return read(items(input))
    case 'json':
      return jsonValue(input)
    case 'computed':
      return read(typeof input === 'string' ? booleanOr(input) : input)
    default:
      return read(input)
  }
}

/** The value that clears a field; undefined where it has none. */
export function emptyValue(field: Field): unknown {
  switch (field.kind) {
    case 'manyToMany':
    case 'tags':
    case 'objectTypes':
    case 'list':
      return 'nullable' in field && field.nullable ? null : []
    case 'text':
      return field.nullable ? null : ''
    case 'file':
      return ''
    case 'boolean':
    case 'computed':
      return 'nullable' in field && field.nullable ? null : undefined
    default:
      return null
  }
}

/** The value of a choice, from the value or its label. */
function choiceValue({ labels, list }: ChoiceSet, input: unknown): unknown {
  if (typeof input !== 'string') return input
  if (labels.has(input) || labels.has(Number(input))) return input
  const named = list.filter(({ label }) => label.toLowerCase() === input.toLowerCase())
  return named.length === 1 ? named[0]?.value : input
}

const WORDS: Readonly<Record<string, boolean>> = {
  ...{ true: true, t: true, yes: true, y: true, on: true, '1': true },
  ...{ false: false, f: false, no: false, n: false, off: false, '0': false },
}

const booleanOr = (input: string): unknown => WORDS[input.toLowerCase()] ?? input

/** A truth value from the usual words. */
export function booleanValue(input: unknown): CellValue {
  const value = typeof input === 'boolean' ? input : booleanOr(String(input))
  return typeof value === 'boolean' ? read(value) : { message: 'Write true or false.' }
}

/** A JSON document; text that is none is refused. */
export function jsonValue(input: unknown): CellValue {
  if (typeof input !== 'string') return read(asJson(input))
  try {
    return read(parseJson(input))
  } catch {
    return { message: 'This is no JSON.' }
  }
}

/** The items of a list: a list, or text with commas, with or without brackets. */
export function items(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input
  if (typeof input !== 'string') return [input]
  const bare = /^\[(.*)\]$/s.exec(input)?.[1] ?? input
  return bare
    .split(',')
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/s, '$2'))
    .filter((item) => item !== '')
}

function listValue(of: ListItem, input: unknown): CellValue {
  const list = items(input)
  if (of === 'range') return rangesValue(list)
  if (of === 'json' && typeof input === 'string') return jsonValue(input)
  if (of === 'textPair') {
    return read(
      list.map((item) => {
        if (typeof item !== 'string') return item
        const [value = '', ...label] = item.split(/(?<!\\):/)
        return [value, label.join(':') || value]
      }),
    )
  }
  return read(list)
}

/** Ranges from `1-100` and single numbers. */
function rangesValue(list: readonly unknown[]): CellValue {
  const ranges = list.map((item) => {
    if (Array.isArray(item)) return item
    const match = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(String(item))
    return match && [Number(match[1]), Number(match[2] ?? match[1])]
  })
  return ranges.includes(null) ? { message: 'Write ranges of numbers as 1-100,200.' } : read(ranges)
}

/** The value of a cell for a custom field. `by`: the attribute that names related objects. */
export function customFieldValue(
  { type }: CustomFieldDefinition,
  by: string | undefined,
  input: unknown,
): CellValue {
  if (isEmptyCell(input)) return read(null)
  switch (type) {
    case 'integer':
    case 'decimal':
      return read(typeof input === 'string' && input.trim() !== '' ? numberOr(input) : input)
    case 'boolean':
      return booleanValue(input)
    case 'json':
      return jsonValue(input)
    case 'multiselect':
      return read(items(input))
    case 'object':
      return read(reference(by, input))
    case 'multiobject':
      return read(items(input).map((item) => reference(by, item)))
    default:
      return read(input)
  }
}

function numberOr(input: string): unknown {
  const isJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(input.trim())
  if (isJson) return parseJson(input)
  return Number.isFinite(Number(input)) ? Number(input) : input
}

/** An object by its attribute; without one by its id or name. */
function reference(by: string | undefined, input: unknown): unknown {
  if (by !== undefined) return { [by]: input }
  return typeof input === 'string' && !/^\d+$/.test(input) ? { name: input } : input
}
