import { anyOf, type Filter, NO_MATCH, type NumberType, not, notIf } from '../../read/query/filter.ts'
import type { NumberComparison, TextComparison } from '../../read/query/lookups.ts'
import { parseDate, parseDateTime } from '../../read/query/parse-value.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import type { LookupType } from '../../schema/fields/kind.ts'
import type { Model } from '../../schema/registry.ts'

/** Coerced values of a lookup, by the name of the comparison. */
export type LookupValues = Readonly<Record<string, unknown>>

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

export const NUMBER_LOOKUPS: Readonly<Record<string, NumberComparison>> = {
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
}

const TEXTS: ReadonlySet<LookupType> = new Set(['text', 'choice', 'colour'])

/** Parts of a time that are compared as whole numbers. */
const PARTS: ReadonlySet<string> = new Set([
  ...['year', 'month', 'day', 'week_day', 'iso_week_day', 'week', 'iso_year', 'quarter'],
  ...['hour', 'minute', 'second'],
])

/** Whether the comparison applies to a part of a time. */
export const isTimePart = (name: string): boolean => PARTS.has(name)

const and = (filters: readonly Filter[]): Filter =>
  filters.length === 1 && filters[0] ? filters[0] : { kind: 'and', filters }

/** The filter for a lookup of the value at the end of the path, with all of its comparisons. */
export function lookupFilter(model: Model, path: string, type: LookupType, values: LookupValues): Filter {
  const filters = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [comparison(model, path, type, name, value)],
  )
  return and(filters)
}

function comparison(model: Model, path: string, type: LookupType, name: string, value: unknown): Filter {
  switch (name) {
    case 'is_null':
      // A missing choice is stored as null or as the empty text.
      if (type === 'choice') return notIf(value === true, { kind: 'filled', path, of: 'text' })
      return notIf(value === true, { kind: 'present', path })
    case 'in_list': {
      const list = value as readonly unknown[]
      return list.length === 0 ? NO_MATCH : equal(path, type, list)
    }
    case 'filter_lookup':
    case 'comparison_lookup':
      return lookupFilter(model, path, type, value as LookupValues)
    case 'range_lookup':
    case 'range':
      return rangeFilter(path, type, value as LookupValues)
    case 'date':
    case 'time':
      return clockFilter(path, name, value as LookupValues)
    default:
  }
  if (type === 'list') return { kind: 'listCompare', path, comparison: name, values: value }
  if (isTimePart(name)) return partFilter(path, name, value as LookupValues)
  const order = NUMBER_LOOKUPS[name]
  if (order) return ordered(path, type, order, [value])
  if (name === 'exact') return equal(path, type, [value])
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

function rangeFilter(path: string, type: LookupType, { start, end }: LookupValues): Filter {
  const filters: Filter[] = []
  if (start !== undefined && start !== null) filters.push(ordered(path, type, 'gte', [start]))
  if (end !== undefined && end !== null) filters.push(ordered(path, type, 'lte', [end]))
  return and(filters)
}

/** Comparisons of a part of a time, such as its year. */
function partFilter(path: string, part: string, values: LookupValues): Filter {
  const compare = (comparison: NumberComparison, operands: readonly unknown[]): Filter => ({
    ...{ kind: 'timePart', path, part, comparison },
    values: operands.map(String),
  })
  return timestampComparisons(values, compare)
}

/** Comparisons of the day or the time of day. */
function clockFilter(path: string, part: 'date' | 'time', values: LookupValues): Filter {
  const compare = (comparison: NumberComparison, operands: readonly unknown[]): Filter => {
    const texts = operands.map((value) => (part === 'date' ? parseDate(String(value)) : clock(value)))
    return { kind: 'timePart', path, part, comparison, values: texts }
  }
  return timestampComparisons(values, compare)
}

function clock(value: unknown): string {
  if (/^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/.test(String(value))) return String(value)
  throw new RefusedValue(`Value cannot represent a Time: "${value}".`)
}

/** All comparisons of a part of a time; `compare` without values: the part exists. */
export function timestampComparisons(
  values: LookupValues,
  compare: (comparison: NumberComparison, values: readonly unknown[]) => Filter,
): Filter {
  const filters = Object.entries(values).flatMap(([name, value]): readonly Filter[] => {
    if (value === null || value === undefined) return []
    if (name === 'exact') return [compare('exact', [value])]
    if (name === 'in_list') return [compare('exact', value as readonly unknown[])]
    if (name === 'is_null') {
      const present = compare('gte', [])
      return [value === true ? present : not(present)]
    }
    if (name === 'range') {
      const { start, end } = value as LookupValues
      return [
        ...(start === undefined || start === null ? [] : [compare('gte', [start])]),
        ...(end === undefined || end === null ? [] : [compare('lte', [end])]),
      ]
    }
    const order = NUMBER_LOOKUPS[name]
    return order ? [compare(order, [value])] : []
  })
  return and(filters)
}
