import { type Filter, type JsonPlace, NO_MATCH, not } from '../../read/query/filter.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import { isTimePart, type LookupValues, NUMBER_LOOKUPS, TEXT_LOOKUPS, timestampComparisons } from './lookup-filter.ts'

/** Coerced values of JSONFilter: the path of the value, and one lookup. */
interface JsonLookup {
  readonly path: string
  readonly lookup: Readonly<Record<string, LookupValues>>
}

/** A name of a nested value, or its place in a list. */
const KEY = /^[\p{L}\p{N}_ .:@/-]+$/u

/** The filter over a value within a JSON column; parts of the path between `__` lead into nested objects. */
export function jsonFilter(column: string, { path, lookup }: JsonLookup): Filter {
  const keys = path.split('__')
  if (!keys.every((key) => KEY.test(key))) {
    throw new RefusedValue(`'${path}' is not a path within JSON. A path consists of names with '__' between them.`)
  }
  const filters: Filter[] = []
  for (const [kind, values] of Object.entries(lookup)) {
    for (const [name, value] of Object.entries(values ?? {})) {
      if (value === null || value === undefined) continue
      filters.push(comparison({ column, keys }, kind, name, value))
    }
  }
  return { kind: 'and', filters }
}

function comparison(place: JsonPlace, kind: string, name: string, value: unknown): Filter {
  // The schema compares days and times of day within JSON with numbers, to which they are never equal.
  if (name === 'date' || name === 'time') return NO_MATCH
  if (isTimePart(name)) {
    return timestampComparisons(value as LookupValues, (comparison, values) => ({
      ...{ kind: 'jsonTimestamp', ...place, part: name, comparison, values: values.map(String) },
    }))
  }
  const base = { kind: 'jsonKey', ...place } as const
  const equal = (one: unknown): Filter => ({
    ...{ ...base, comparison: 'exact' },
    value: JSON.stringify(one),
  })
  if (name === 'exact') return equal(value)
  if (name === 'in_list' || name === 'in_') {
    const list = value as readonly unknown[]
    return list.length === 0 ? NO_MATCH : { kind: 'or', filters: list.map(equal) }
  }
  if (name === 'is_null' || name === 'isnull') {
    const present: Filter = { ...base, comparison: 'regex', value: '' }
    return value === true ? not(present) : present
  }
  if (name === 'start' || name === 'end') {
    const comparison = name === 'start' ? 'gte' : 'lte'
    return { ...base, comparison, value: JSON.stringify(value) }
  }
  if (name === 'range') {
    return jsonFilter(place.column, {
      path: place.keys.join('__'),
      lookup: { [kind]: value as LookupValues },
    })
  }
  const order = NUMBER_LOOKUPS[name]
  if (order) return { ...base, comparison: order, value: JSON.stringify(value) }
  const text = TEXT_LOOKUPS[name]
  if (text) return { ...base, comparison: text, value: String(value) }
  throw new RefusedValue(`Values within JSON do not support the lookup ${name}.`)
}
