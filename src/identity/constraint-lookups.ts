import {
  compareText,
  isExpression,
  isNumberComparison,
  isTextComparison,
  NUMBER_OPERATORS,
} from '../read/query/lookups.ts'
import { parseHardwareAddress } from '../read/query/parse-hardware-address.ts'
import type { PathEnd } from '../read/query/reach.ts'
import { looksAroundWithin, placesOf } from '../read/query/regular-expression.ts'
import { textOf } from '../read/query/text-filter.ts'
import { parseInterface, parseIp } from '../schema/net/ip.ts'
import { raw, type Sql, sql } from '../sql/fragment.ts'
import { InvalidConstraint } from './invalid-constraint.ts'

/** Comparison of the value at the end of a constraint's path. */
export interface Comparison {
  readonly value: Sql
  readonly end: PathEnd
  /** Keys into a JSON value, then a lookup, if there is one. */
  readonly names: readonly string[]
  /** The whole key, for messages. */
  readonly key: string
  readonly expected: unknown
}

/** SQL predicate of the comparison. Throws InvalidConstraint for a lookup or a value that does not fit. */
export function compare({ value, end, names, key, expected }: Comparison): Sql {
  const type = typeOf(end)
  const part = PARTS.get(names[0] ?? '')
  if (part?.of.includes(type)) {
    const predicate = comparePart(part, part.sql(value, type), names.slice(1), expected)
    if (predicate) return predicate
    throw new InvalidConstraint(`${key} cannot be compared with ${JSON.stringify(expected)}.`)
  }
  const last = names.at(-1)
  const lookup = last !== undefined && isLookup(last) ? last : undefined
  const keys = lookup === undefined ? names : names.slice(0, -1)
  const comparison: TypedComparison = {
    ...{ value, type, expected, lookup: lookup ?? 'exact' },
    text: textOf(value, end),
  }
  const predicate =
    type === 'jsonb'
      ? compareJson({ ...comparison, keys })
      : keys.length === 0
        ? compareValue(comparison)
        : compareTypeName({ ...comparison, keys }, end)
  if (predicate) return predicate
  if (keys.length > 0 && type !== 'jsonb') {
    throw new InvalidConstraint(`Unsupported lookup '${keys.join('__')}' in ${key}.`)
  }
  throw new InvalidConstraint(`${key} cannot be compared with ${JSON.stringify(expected)}.`)
}

interface TypedComparison {
  readonly value: Sql
  /** PostgreSQL's type of the value. */
  readonly type: string
  /** The value as text. */
  readonly text: ComparedText
  readonly lookup: string
  readonly expected: unknown
}

/** A part of a value, by which constraints select rows: `address__family`, `created__year__gte`. */
interface ValuePart {
  /** Types of the values that have it. */
  readonly of: readonly string[]
  readonly type: 'integer' | 'date' | 'time' | 'inet'
  readonly sql: (value: Sql, type: string) => Sql
}

const NETWORK_TYPES = ['inet', 'cidr']
const TIME_TYPES = ['timestamptz']
const DAY_TYPES = ['date', 'timestamptz']

/** In UTC: the session of the database may use any time zone. */
const inUtc = (value: Sql, type: string): Sql =>
  type === 'date' ? sql`${value}::timestamp` : sql`(${value} at time zone 'UTC')`
const extracted =
  (name: string) =>
  (value: Sql, type: string): Sql =>
    sql`extract(${raw(name)} from ${inUtc(value, type)})::integer`
const dayPart = (name: string): ValuePart => ({ of: DAY_TYPES, type: 'integer', sql: extracted(name) })
const timePart = (name: string): ValuePart => ({ of: TIME_TYPES, type: 'integer', sql: extracted(name) })

/** Django's names for parts of times, and NetBox's for those of addresses and networks. */
const PARTS: ReadonlyMap<string, ValuePart> = new Map<string, ValuePart>([
  ['family', { of: NETWORK_TYPES, type: 'integer', sql: (value) => sql`family(${value})` }],
  ['net_mask_length', { of: NETWORK_TYPES, type: 'integer', sql: (value) => sql`masklen(${value})` }],
  ['host', { of: NETWORK_TYPES, type: 'inet', sql: (value) => sql`host(${value})::inet` }],
  ['year', dayPart('year')],
  ['iso_year', dayPart('isoyear')],
  ['quarter', dayPart('quarter')],
  ['month', dayPart('month')],
  ['week', dayPart('week')],
  ['day', dayPart('day')],
  // 1 is Sunday.
  ['week_day', { of: DAY_TYPES, type: 'integer', sql: (value, type) => sql`(${extracted('dow')(value, type)} + 1)` }],
  ['iso_week_day', dayPart('isodow')],
  ['hour', timePart('hour')],
  ['minute', timePart('minute')],
  ['second', { of: TIME_TYPES, type: 'integer', sql: (value) => sql`floor(extract(second from ${value}))::integer` }],
  ['date', { of: TIME_TYPES, type: 'date', sql: (value, type) => sql`${inUtc(value, type)}::date` }],
  ['time', { of: TIME_TYPES, type: 'time', sql: (value, type) => sql`${inUtc(value, type)}::time` }],
])

/** A part of a value of the type, such as `year` of a date; undefined if it has no such part. */
export function partOfValue(name: string, value: Sql, type: string): Sql | undefined {
  const part = PARTS.get(name)
  return part?.of.includes(type) ? part.sql(value, type) : undefined
}

function comparePart({ type }: ValuePart, value: Sql, names: readonly string[], expected: unknown) {
  const [lookup = 'exact', ...remaining] = names
  if (remaining.length > 0 || !isLookup(lookup)) return undefined
  // Not as text: a number may be written as 04, a time without its seconds.
  if (lookup === 'exact') return anyOf({ value, type }, [expected])
  return compareValue({ value, type, lookup, expected, text: { text: sql`${value}::text`, folding: 'plain' } })
}

/** Lookups of networks and addresses. */
export const NETWORKS: Readonly<Record<string, Sql>> = {
  net_contained: sql`<<`,
  net_contained_or_equal: sql`<<=`,
  net_contains: sql`>>`,
  net_contains_or_equals: sql`>>=`,
}
/** Lookups of addresses without their masks. */
const HOSTS: Readonly<Record<string, Sql>> = {
  net_host: sql`=`,
  net_host_contained: sql`<<=`,
}
/** Lookups of lists. */
const LISTS: Readonly<Record<string, Sql>> = {
  exact: sql`=`,
  contains: sql`@>`,
  contained_by: sql`<@`,
  overlap: sql`&&`,
}
const OTHERS: ReadonlySet<string> = new Set(['in', 'net_in', 'range', 'isnull', 'has_key'])

/** True if the name is a lookup rather than a field or a key of a JSON value. */
export const isLookup = (name: string): boolean =>
  OTHERS.has(name) ||
  isTextComparison(name) ||
  isNumberComparison(name) ||
  [NETWORKS, HOSTS, LISTS].some((table) => Object.hasOwn(table, name))

function typeOf(end: PathEnd): string {
  if (end.kind === 'relation') return 'bigint'
  if (end.kind === 'column') return end.column.type === 'json' ? 'jsonb' : end.column.type
  if (end.field.kind !== 'derived') return 'bigint'
  return {
    integer: 'bigint',
    decimal: 'numeric',
    boolean: 'boolean',
    date: 'date',
    dateTime: 'timestamptz',
    text: 'text',
    json: 'jsonb',
  }[end.field.type]
}

function compareValue(comparison: TypedComparison): Sql | undefined {
  const { value, type, lookup, expected } = comparison
  if (lookup === 'isnull') return expected === false ? sql`${value} is not null` : undefined
  if (type.endsWith('[]')) return compareList(comparison)
  if (lookup === 'in') return Array.isArray(expected) ? anyOf(comparison, expected) : undefined
  if (lookup === 'net_in') return Array.isArray(expected) ? inNetworks(comparison, expected) : undefined
  if (lookup === 'range') {
    if (!Array.isArray(expected) || expected.length !== 2) return undefined
    const low = compareValue({ ...comparison, lookup: 'gte', expected: expected[0] })
    const high = compareValue({ ...comparison, lookup: 'lte', expected: expected[1] })
    return low && high && sql`(${low} and ${high})`
  }
  const network = type === 'inet' || type === 'cidr' ? NETWORKS[lookup] : undefined
  if (network || isNumberComparison(lookup)) {
    const operand = textFor(type, expected)
    if (operand === undefined) return undefined
    const cast = sql`${operand}::${raw(castOf(type))}`
    return isNumberComparison(lookup) ? NUMBER_OPERATORS[lookup](value, cast) : sql`${value} ${network} ${cast}`
  }
  const host = type === 'inet' ? HOSTS[lookup] : undefined
  if (host) {
    const operand = textFor(type, expected)
    return operand === undefined ? undefined : sql`host(${value})::inet ${host} ${operand}::inet`
  }
  return compareTexts(comparison.text, lookup, expected)
}

/** A text, and how it compares case-insensitively. */
type ComparedText = ReturnType<typeof textOf>

function compareTexts({ text, folding }: ComparedText, lookup: string, expected: unknown): Sql | undefined {
  if (typeof expected !== 'string' && typeof expected !== 'number') return undefined
  const operand = String(expected)
  if (!isTextComparison(lookup) || operand.includes('\0')) return undefined
  if (isExpression(lookup) && !isSafeExpression(operand)) return undefined
  return compareText(lookup, text, operand, folding)
}

/**
 * One comparison with all values: constraints are part of every statement of a user, and planning a chain of them takes
 * long.
 */
function anyOf(
  { value, type }: Pick<TypedComparison, 'value' | 'type'>,
  expected: readonly unknown[],
): Sql | undefined {
  const texts = expected.map((item) => textFor(type, item))
  if (texts.includes(undefined)) return undefined
  return sql`${value} = any(${texts}::${raw(castOf(type))}[])`
}

/** NetBox's comparison with several addresses: one without a mask matches the address with any mask. */
function inNetworks({ value, type }: TypedComparison, expected: readonly unknown[]): Sql | undefined {
  const [masked, unmasked] = [true, false].map((isMasked) =>
    expected.filter((network) => String(network).includes('/') === isMasked),
  )
  const wholes = anyOf({ value, type }, masked ?? [])
  const hosts = anyOf({ value: sql`host(${value})::inet`, type: 'inet' }, unmasked ?? [])
  return NETWORK_TYPES.includes(type) && wholes && hosts ? sql`(${wholes} or ${hosts})` : undefined
}

function compareList({ value, type, lookup, expected }: TypedComparison): Sql | undefined {
  const operator = LISTS[lookup]
  const items = Array.isArray(expected) ? expected : [expected]
  const texts = items.map((item) => textFor(type.slice(0, -2), item))
  if (!operator || texts.includes(undefined)) return undefined
  return sql`${value} ${operator} ${texts}::${raw(type)}`
}

/** Compares a JSON value: values under keys as JSON, texts by their content. */
function compareJson({
  value,
  keys,
  lookup,
  expected,
}: TypedComparison & { readonly keys: readonly string[] }): Sql | undefined {
  const stored = keys.length === 0 ? value : sql`(${value} #> ${keys}::text[])`
  const json = (item: unknown) => sql`${JSON.stringify(item)}::jsonb`
  if (lookup === 'isnull') {
    // A missing key counts as null.
    const isThere = sql`nullif(${stored}, 'null') is not null`
    return expected === true ? sql`(${isThere}) is not true` : isThere
  }
  if (lookup === 'exact') return sql`${stored} = ${json(expected)}`
  if (lookup === 'contains') return sql`${stored} @> ${json(expected)}`
  if (lookup === 'has_key') return sql`jsonb_exists(${stored}, ${String(expected)}::text)`
  if (lookup === 'in') {
    if (!Array.isArray(expected)) return undefined
    return sql`${stored} = any(${expected.map((item) => JSON.stringify(item))}::jsonb[])`
  }
  if (!isNumberComparison(lookup)) {
    return compareTexts({ text: sql`(${stored} #>> '{}')`, folding: 'plain' }, lookup, expected)
  }
  const kind = typeof expected
  if (kind !== 'number' && kind !== 'string') return undefined
  return sql`(jsonb_typeof(${stored}) = ${kind} and ${NUMBER_OPERATORS[lookup](stored, json(expected))})`
}

/** Compares the type of an object by a part of its name: `assigned_object_type__model`. */
function compareTypeName(
  comparison: TypedComparison & { readonly keys: readonly string[] },
  end: PathEnd,
): Sql | undefined {
  const position = ['app_label', 'model'].indexOf(comparison.keys.join('__')) + 1
  const isType = end.kind === 'column' && ['genericForeignKey', 'objectType'].includes(end.column.field.kind)
  if (position === 0 || !isType) return undefined
  const value = sql`split_part(${comparison.value}, '.', ${position}::int)`
  return compareValue({ ...comparison, value, text: { text: value, folding: 'plain' } })
}

/** A type with which numbers of any size can be compared. */
const castOf = (type: string): string => {
  if (type === 'smallint' || type === 'integer') return 'bigint'
  if (type.startsWith('numeric')) return 'numeric'
  return type === 'cidr' ? 'inet' : type
}

/** The value as PostgreSQL's text of the type; undefined if the database would refuse it. */
function textFor(type: string, expected: unknown): string | undefined {
  if (typeof expected === 'boolean') return type === 'boolean' ? String(expected) : undefined
  if (typeof expected !== 'string' && typeof expected !== 'number') return undefined
  const text = String(expected)
  return (FITTING[castOf(type)] ?? isText)(text) ? text : undefined
}

const isText = (text: string): boolean => !text.includes('\0')
const isTimestamp = (text: string): boolean => {
  const [, day] = /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const parsed = Date.parse(text)
  if (day === undefined || Number.isNaN(parsed)) return false
  // JavaScript's Date moves invalid days of a month into the next month.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
const isAddress = (text: string): boolean => parseIp(text) !== undefined || parseInterface(text) !== undefined

const FITTING: Readonly<Record<string, (text: string) => boolean>> = {
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  numeric: (text) => /^-?\d{1,18}(\.\d{1,18})?$/.test(text),
  boolean: () => false,
  timestamptz: isTimestamp,
  date: isTimestamp,
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  time: (text) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/.test(text),
  inet: isAddress,
  macaddr: (text) => parseHardwareAddress(text, 6) !== undefined,
  macaddr8: (text) => parseHardwareAddress(text, 8) !== undefined,
}

/** As for filters: a value that is repeated very often in a statement could take unbounded time. */
const MOST_PLACES = 200

function isSafeExpression(text: string): boolean {
  try {
    new RegExp(text)
    const isCheap = placesOf(text) <= MOST_PLACES && !looksAroundWithin(text)
    return text.length <= 500 && isCheap && !/\\[1-9]|\0/.test(text)
  } catch {
    return false
  }
}
