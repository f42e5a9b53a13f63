import { anyOf, type Filter, NO_MATCH, type NumberType, not, notIf } from '../../read/query/filter.ts'
import type { NumberComparison, TextComparison } from '../../read/query/lookups.ts'
import { parseDate, parseDateTime } from '../../read/query/parse-value.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import type { LookupType } from '../../schema/fields/kind.ts'

/** Coerced values of a lookup, by the name of the comparison. */
export type LookupValues = Readonly<Record<string, unknown>>

/** One comparison of a lookup. `is_null` and comparisons of a part of a time have their value in the list, too. */
interface Comparison {
  /** As in the schema; several values are always compared by `exact`. */
  readonly name: string
  readonly values: readonly unknown[]
}

/** Comparisons of texts by their names in the schema. */
export const TEXT_LOOKUPS: Readonly<Record<string, TextComparison>> = {
  exact: 'exact',
  i_exact: 'iexact',
  contains: 'contains',
  i_contains: 'icontains',
  starts_with: 'startswith',
  i_starts_with: 'istartswith',
  ends_with: 'endswith',
  i_ends_with: 'iendswith',
  regex: 'regex',
  i_regex: 'iregex',
}

/** Comparisons of numbers and times by their names in the schema, and the ends of ranges. */
export const NUMBER_LOOKUPS: Readonly<Record<string, NumberComparison>> = {
  ...{ exact: 'exact', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte' },
  ...{ start: 'gte', end: 'lte' },
}

const TEXTS: ReadonlySet<LookupType> = new Set(['text', 'choice', 'colour'])

/** Parts of a time that are compared as whole numbers. */
const PARTS: ReadonlySet<string> = new Set([
  ...['year', 'month', 'day', 'week_day', 'iso_week_day', 'week', 'iso_year', 'quarter'],
  ...['hour', 'minute', 'second'],
])

/** Whether the comparison applies to a part of a time. */
export const isTimePart = (name: string): boolean => PARTS.has(name)

/** The comparisons of a lookup, including those in its ranges and nested lookups. */
export const comparisonsOf = (values: LookupValues): readonly Comparison[] =>
  Object.entries(values).flatMap(([name, value]): readonly Comparison[] => {
    if (value === null || value === undefined) return []
    if (/^range$|_lookup$/.test(name)) return comparisonsOf(value as LookupValues)
    // JSON has other names for two comparisons.
    if (name === 'in_list' || name === 'in_') return [{ name: 'exact', values: value as readonly unknown[] }]
    return [{ name: name === 'isnull' ? 'is_null' : name, values: [value] }]
  })

const and = (filters: readonly Filter[]): Filter =>
  filters.length === 1 && filters[0] ? filters[0] : { kind: 'and', filters }

/** The filter for a lookup of the value at the end of the path, with all of its comparisons. */
export const lookupFilter = (path: string, type: LookupType, values: LookupValues): Filter =>
  and(comparisonsOf(values).map((comparison) => compare(path, type, comparison)))

function compare(path: string, type: LookupType, { name, values }: Comparison): Filter {
  const [value] = values
  if (type === 'list') return { kind: 'listCompare', path, comparison: name, values: value }
  // A missing choice is stored as null or as the empty text.
  if (name === 'is_null' && type === 'choice') return notIf(value === true, { kind: 'filled', path, of: 'text' })
  if (name === 'is_null') return notIf(value === true, { kind: 'present', path })
  if (name === 'date' || name === 'time' || isTimePart(name)) {
    return timestampFilter(value as LookupValues, (comparison, operands) => ({
      ...{ kind: 'timePart', path, part: name, comparison, values: operands.map((operand) => partText(name, operand)) },
    }))
  }
  if (values.length === 0) return NO_MATCH
  if (name === 'exact') return equal(path, type, values)
  const order = NUMBER_LOOKUPS[name]
  if (order) return ordered(path, type, order, values)
  const text = TEXT_LOOKUPS[name]
  if (!text) throw new RefusedValue(`No lookup is named ${name}.`)
  return { kind: 'text', path, comparison: text, values: [textOf(type, value)] }
}

/** A number is compared with texts in its stored form. */
const textOf = (type: LookupType, value: unknown): string =>
  type === 'decimal' && Number.isInteger(value) ? `${value}.0` : String(value)

function equal(path: string, type: LookupType, values: readonly unknown[]): Filter {
  if (type === 'boolean') {
    return anyOf(values.map((value) => ({ kind: 'boolean', path, value: value === true })))
  }
  if (TEXTS.has(type)) {
    return { kind: 'text', path, comparison: 'exact', values: values.map(String) }
  }
  return ordered(path, type, 'exact', values)
}

const ordered = (path: string, type: LookupType, comparison: NumberComparison, values: readonly unknown[]): Filter => {
  const number = numberType(type)
  const list = values.map((value) => numberText(number, value))
  return { kind: 'number', type: number, path, comparison, values: list }
}

const numberType = (type: LookupType): NumberType =>
  type === 'decimal' || type === 'date' || type === 'dateTime' ? type : 'integer'

/** The value in the form that PostgreSQL reads. Throws RefusedValue with NetBox's message. */
function numberText(type: NumberType, value: unknown): string {
  const text = String(value)
  try {
    if (type === 'date') return parseDate(text)
    if (type === 'dateTime') return parseDateTime(text)
  } catch {
    const name = type === 'date' ? 'Date' : 'DateTime'
    throw new RefusedValue(`Value cannot represent a ${name}: "${text}".`)
  }
  if (type === 'integer' && !/^[+-]?\d+$/.test(text)) {
    throw new RefusedValue(`Field 'id' expected a number but got '${text}'.`)
  }
  return text
}

/** A value with which a part of a time is compared: its day, its time of day, or a number such as its year. */
function partText(part: string, value: unknown): string {
  const text = String(value)
  if (part === 'date') return parseDate(text)
  if (part !== 'time' || /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/.test(text)) return text
  throw new RefusedValue(`Value cannot represent a Time: "${text}".`)
}

/** All comparisons of a part of a time; `compare` without values: the part exists. */
export const timestampFilter = (
  lookup: LookupValues,
  compare: (comparison: NumberComparison, values: readonly unknown[]) => Filter,
): Filter =>
  and(
    comparisonsOf(lookup).flatMap(({ name, values }) => {
      if (name === 'is_null') return values[0] === true ? compare('gte', []) : not(compare('gte', []))
      const order = NUMBER_LOOKUPS[name]
      return order ? [compare(order, values)] : []
    }),
  )
