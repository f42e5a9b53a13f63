import { anyOf, type Filter, type JsonPlace, NO_MATCH, notIf } from '../../read/query/filter.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import {
  comparisonsOf,
  isTimePart,
  type LookupValues,
  NUMBER_LOOKUPS,
  TEXT_LOOKUPS,
  timestampFilter,
} from './lookup-filter.ts'

/** Coerced values of JSONFilter: the path of the value, and one lookup. */
interface JsonLookup {
  readonly path: string
  readonly lookup: LookupValues
}

/** A name of a nested value, or its place in a list. */
const KEY = /^[\p{L}\p{N}_ .:@/-]+$/u

/** The filter over a value within a JSON column; parts of the path between `__` lead into nested objects. */
export function jsonFilter(column: string, { path, lookup }: JsonLookup): Filter {
  const keys = path.split('__')
  if (!keys.every((key) => KEY.test(key))) {
    throw new RefusedValue(`'${path}' is not a path within JSON. A path consists of names with '__' between them.`)
  }
  const filters = comparisonsOf(lookup).map(({ name, values }) => compare({ column, keys }, name, values))
  return { kind: 'and', filters }
}

function compare(place: JsonPlace, name: string, values: readonly unknown[]): Filter {
  const [value] = values
  // The schema compares days and times of day within JSON with numbers, to which they are never equal.
  if (name === 'date' || name === 'time') return NO_MATCH
  if (isTimePart(name)) {
    return timestampFilter(value as LookupValues, (comparison, operands) => ({
      ...{ kind: 'jsonTimestamp', ...place, part: name, comparison, values: operands.map(String) },
    }))
  }
  const base = { kind: 'jsonKey', ...place } as const
  if (name === 'is_null') return notIf(value === true, { ...base, comparison: 'regex', value: '' })
  // Several values are alternatives; no value matches nothing.
  const order = NUMBER_LOOKUPS[name]
  if (order) return anyOf(values.map((item) => ({ ...base, comparison: order, value: JSON.stringify(item) })))
  const text = TEXT_LOOKUPS[name]
  if (text) return { ...base, comparison: text, value: String(value) }
  throw new RefusedValue(`Values within JSON do not support the lookup ${name}.`)
}
