import { type CustomFieldDefinition, withScheme } from '../../schema/custom-value.ts'
import { type Field, isScalar, kindOf } from '../../schema/field.ts'
import { booleanCell, truthValue } from '../../schema/fields/boolean.ts'
import { jsonCell } from '../../schema/fields/json.ts'
import type { CellValue } from '../../schema/fields/kind.ts'
import { cellItems } from '../../schema/fields/list.ts'
import { parseJson } from '../../schema/json.ts'

const read = (value: unknown): CellValue => ({ value })

/** Cells without a value. */
export const isEmptyCell = (input: unknown): boolean => input === undefined || input === null || input === ''

/** The value for a field of a body from a cell; the write pipeline validates it. */
export function cellValue(field: Field, input: unknown): CellValue {
  if (isScalar(field)) return kindOf(field).cell?.(input, field) ?? read(input)
  return read(field.kind === 'computed' ? (truthValue(input) ?? input) : input)
}

/** The value that clears a field; undefined if it has none. */
export function emptyValue(field: Field): unknown {
  if (field.kind === 'manyToMany' || field.kind === 'tags') return []
  if (field.kind === 'computed') return undefined
  const cleared = isScalar(field) ? kindOf(field).cleared : undefined
  return cleared && isScalar(field) ? cleared(field) : null
}

/** The value for a custom field from a cell. `by`: the attribute that names related objects. */
export function customFieldValue({ type }: CustomFieldDefinition, by: string | undefined, input: unknown): CellValue {
  if (isEmptyCell(input)) return read(null)
  switch (type) {
    case 'integer':
      return read(typeof input === 'string' && INTEGER.test(input.trim()) ? numberOr(input) : input)
    case 'decimal':
      return read(typeof input === 'string' && DECIMAL.test(input.trim()) ? numberOr(input) : input)
    case 'boolean':
      return booleanCell(input)
    case 'url':
      return isUrl(input) ? read(input) : { message: 'Enter a valid URL.' }
    case 'json':
      return jsonCell(input)
    case 'multiselect':
      return read(cellItems(input))
    case 'object':
      return read(reference(by, input))
    case 'multiobject':
      return read(cellItems(input).map((item) => reference(by, item)))
    default:
      return read(input)
  }
}

/** Bodies of the API may have any text, as in NetBox 4.7.3; a cell with one is more likely in the wrong column. */
const isUrl = (input: unknown): boolean =>
  // A space would be encoded, so that any sentence would be a URL.
  typeof input !== 'string' || (!/\s/.test(input) && URL.canParse(withScheme(input)))

const INTEGER = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

function numberOr(input: string): unknown {
  const isJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(input.trim())
  if (isJson) return parseJson(input)
  return Number.isFinite(Number(input)) ? Number(input) : input
}

/** An object by its attribute; without an attribute, by its id or name. */
function reference(by: string | undefined, input: unknown): unknown {
  if (by !== undefined) return { [by]: input }
  return typeof input === 'string' && !/^\d+$/.test(input) ? { name: input } : input
}
