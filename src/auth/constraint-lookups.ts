import { parseInterface, parseIp } from '../net/ip.ts'
import { looksAroundWithin, placesOf } from '../query/expression.ts'
import { parseHardwareAddress } from '../query/parse-hardware-address.ts'
import type { PathEnd } from '../query/reach.ts'
import { join, raw, type Sql, sql } from '../sql/fragment.ts'
import { InvalidConstraint } from './invalid-constraint.ts'

/** What is asked of the value at the end of a constraint's path. */
export interface Comparison {
  readonly value: Sql
  readonly end: PathEnd
  /** Keys of a JSON value, then a lookup, if there is one. */
  readonly names: readonly string[]
  /** The whole key, for messages. */
  readonly key: string
  readonly wanted: unknown
}

/** Predicate of the comparison. Throws InvalidConstraint for a lookup or a value that does not fit. */
export function compare({ value, end, names, key, wanted }: Comparison): Sql {
  const type = typeOf(end)
  const last = names.at(-1)
  const lookup = last !== undefined && isLookup(last) ? last : undefined
  const keys = lookup === undefined ? names : names.slice(0, -1)
  const asked: Asked = { value, type, wanted, lookup: lookup ?? 'exact' }
  const predicate =
    type === 'jsonb'
      ? compareJson({ ...asked, keys })
      : keys.length === 0
        ? compareValue(asked)
        : compareTypeName({ ...asked, keys }, end)
  if (predicate) return predicate
  if (keys.length > 0 && type !== 'jsonb') {
    throw new InvalidConstraint(`Unsupported lookup '${keys.join('__')}' in ${key}.`)
  }
  throw new InvalidConstraint(`${key} cannot be compared with ${JSON.stringify(wanted)}.`)
}

interface Asked {
  readonly value: Sql
  /** PostgreSQL's type of the value. */
  readonly type: string
  readonly lookup: string
  readonly wanted: unknown
}

const ORDER: Readonly<Record<string, Sql>> = {
  exact: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
}
/** Text lookups: operator, what stands before the text, what behind it. */
const PATTERNS: Readonly<Record<string, readonly [Sql, string, string]>> = {
  contains: [sql`like`, '%', '%'],
  icontains: [sql`ilike`, '%', '%'],
  startswith: [sql`like`, '', '%'],
  istartswith: [sql`ilike`, '', '%'],
  endswith: [sql`like`, '%', ''],
  iendswith: [sql`ilike`, '%', ''],
  iexact: [sql`ilike`, '', ''],
}
const EXPRESSIONS: Readonly<Record<string, Sql>> = { regex: sql`~`, iregex: sql`~*` }
/** Lookups of networks and addresses. */
const NETWORKS: Readonly<Record<string, Sql>> = {
  net_contained: sql`<<`,
  net_contained_or_equal: sql`<<=`,
  net_contains: sql`>>`,
  net_contains_or_equals: sql`>>=`,
}
/** Lookups of lists. */
const LISTS: Readonly<Record<string, Sql>> = {
  exact: sql`=`,
  contains: sql`@>`,
  contained_by: sql`<@`,
  overlap: sql`&&`,
}
const OTHERS: ReadonlySet<string> = new Set(['in', 'range', 'isnull', 'has_key'])

/** Whether a name is a lookup rather than a field or a key of a JSON value. */
export const isLookup = (name: string): boolean =>
  OTHERS.has(name) ||
  [ORDER, PATTERNS, EXPRESSIONS, NETWORKS, LISTS].some((table) => Object.hasOwn(table, name))

function typeOf(end: PathEnd): string {
  if (end.kind === 'relation') return 'bigint'
  if (end.kind === 'column') return end.column.type === 'json' ? 'jsonb' : end.column.type
  if (end.field.kind !== 'derived') return 'bigint'
  return {
    integer: 'bigint',
    decimal: 'numeric',
    boolean: 'boolean',
    dateTime: 'timestamptz',
    text: 'text',
    json: 'jsonb',
  }[end.field.type]
}

function compareValue(asked: Asked): Sql | undefined {
  const { value, type, lookup, wanted } = asked
  if (lookup === 'isnull') return wanted === false ? sql`${value} is not null` : undefined
  if (type.endsWith('[]')) return compareList(asked)
  if (lookup === 'in') return Array.isArray(wanted) ? anyOf(asked, wanted) : undefined
  if (lookup === 'range') {
    if (!Array.isArray(wanted) || wanted.length !== 2) return undefined
    const low = compareValue({ ...asked, lookup: 'gte', wanted: wanted[0] })
    const high = compareValue({ ...asked, lookup: 'lte', wanted: wanted[1] })
    return low && high && sql`(${low} and ${high})`
  }
  const operator =
    ORDER[lookup] ?? (type === 'inet' || type === 'cidr' ? NETWORKS[lookup] : undefined)
  if (operator) {
    const text = textFor(type, wanted)
    return text === undefined ? undefined : sql`${value} ${operator} ${text}::${raw(castOf(type))}`
  }
  return comparePattern(sql`${value}::text`, lookup, wanted)
}

function comparePattern(value: Sql, lookup: string, wanted: unknown): Sql | undefined {
  if (typeof wanted !== 'string' && typeof wanted !== 'number') return undefined
  const expression = EXPRESSIONS[lookup]
  if (expression) {
    return isExpression(String(wanted))
      ? sql`${value} ${expression} ${String(wanted)}::text`
      : undefined
  }
  const pattern = PATTERNS[lookup]
  if (!pattern || String(wanted).includes('\0')) return undefined
  const [operator, before, behind] = pattern
  const escaped = String(wanted).replace(/[\\%_]/g, '\\$&')
  return sql`${value} ${operator} ${before + escaped + behind}::text`
}

function anyOf(asked: Asked, wanted: readonly unknown[]): Sql | undefined {
  const each = wanted.map((one) => compareValue({ ...asked, lookup: 'exact', wanted: one }))
  const predicates = each.filter((predicate) => predicate !== undefined)
  if (predicates.length < each.length) return undefined
  return predicates.length === 0 ? sql`false` : sql`(${join(predicates, ' or ')})`
}

function compareList({ value, type, lookup, wanted }: Asked): Sql | undefined {
  const operator = LISTS[lookup]
  const items = Array.isArray(wanted) ? wanted : [wanted]
  const texts = items.map((item) => textFor(type.slice(0, -2), item))
  if (!operator || texts.includes(undefined)) return undefined
  return sql`${value} ${operator} ${texts}::${raw(type)}`
}

/** JSON: a value under keys compares as JSON does, texts by their content. */
function compareJson({
  value,
  keys,
  lookup,
  wanted,
}: Asked & { readonly keys: readonly string[] }): Sql | undefined {
  const found = keys.length === 0 ? value : sql`(${value} #> ${keys}::text[])`
  const json = (one: unknown) => sql`${JSON.stringify(one)}::jsonb`
  if (lookup === 'isnull') {
    // No key and null are the same: no value.
    const isThere = sql`nullif(${found}, 'null') is not null`
    return wanted === true ? sql`(${isThere}) is not true` : isThere
  }
  if (lookup === 'exact') return sql`${found} = ${json(wanted)}`
  if (lookup === 'contains') return sql`${found} @> ${json(wanted)}`
  if (lookup === 'has_key') return sql`jsonb_exists(${found}, ${String(wanted)}::text)`
  if (lookup === 'in') {
    if (!Array.isArray(wanted)) return undefined
    return sql`${found} = any(${wanted.map((one) => JSON.stringify(one))}::jsonb[])`
  }
  const operator = ORDER[lookup]
  if (!operator) return comparePattern(sql`(${found} #>> '{}')`, lookup, wanted)
  const kind = typeof wanted
  if (kind !== 'number' && kind !== 'string') return undefined
  return sql`(jsonb_typeof(${found}) = ${kind} and ${found} ${operator} ${json(wanted)})`
}

/** The type of an object, by a part of its name: `assigned_object_type__model`. */
function compareTypeName(
  asked: Asked & { readonly keys: readonly string[] },
  end: PathEnd,
): Sql | undefined {
  const part = ['app_label', 'model'].indexOf(asked.keys.join('__')) + 1
  const isType =
    end.kind === 'column' && ['genericForeignKey', 'objectType'].includes(end.column.field.kind)
  if (part === 0 || !isType) return undefined
  return compareValue({ ...asked, value: sql`split_part(${asked.value}, '.', ${part}::int)` })
}

/** A type whose values any number of the kind can be compared with, however large. */
const castOf = (type: string): string => {
  if (type === 'smallint' || type === 'integer') return 'bigint'
  if (type.startsWith('numeric')) return 'numeric'
  return type === 'cidr' ? 'inet' : type
}

/** The value as PostgreSQL's text of the type; undefined for one that the database would refuse. */
function textFor(type: string, wanted: unknown): string | undefined {
  if (typeof wanted === 'boolean') return type === 'boolean' ? String(wanted) : undefined
  if (typeof wanted !== 'string' && typeof wanted !== 'number') return undefined
  const text = String(wanted)
  return (FITTING[castOf(type)] ?? isText)(text) ? text : undefined
}

const isText = (text: string): boolean => !text.includes('\0')
const isMoment = (text: string): boolean => {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const parsed = Date.parse(text)
  if (day === undefined || Number.isNaN(parsed)) return false
  // Days that no month has are moved on by Date.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
const isAddress = (text: string): boolean =>
  parseIp(text) !== undefined || parseInterface(text) !== undefined

const FITTING: Readonly<Record<string, (text: string) => boolean>> = {
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  numeric: (text) => /^-?\d{1,18}(\.\d{1,18})?$/.test(text),
  boolean: () => false,
  timestamptz: isMoment,
  date: isMoment,
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  inet: isAddress,
  macaddr: (text) => parseHardwareAddress(text, 6) !== undefined,
  macaddr8: (text) => parseHardwareAddress(text, 8) !== undefined,
}

/** As for filters: what is written out into very many places could cost unbounded time. */
const MOST_PLACES = 200

function isExpression(text: string): boolean {
  try {
    new RegExp(text)
    const isCheap = placesOf(text) <= MOST_PLACES && !looksAroundWithin(text)
    return text.length <= 500 && isCheap && !/\\[1-9]|\0/.test(text)
  } catch {
    return false
  }
}
