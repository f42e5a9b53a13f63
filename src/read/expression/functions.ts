import type { DerivedType } from '../../schema/field.ts'
import { ownValue } from '../../schema/json.ts'
import { join, raw, type Sql, sql, volatile } from '../../sql/fragment.ts'

/** Types of values; `null` fits all of them. */
export type ValueType = Exclude<DerivedType, 'json'> | 'date' | 'null'
export const NUMBERS: ReadonlySet<ValueType> = new Set(['integer', 'decimal'])

/** A value of an expression: its type, and its SQL. */
export interface TypedSql {
  readonly type: ValueType
  readonly sql: Sql
}

/** A function: the types of its arguments, the last one repeated for `isVariadic`, its result and its SQL. */
export interface FunctionKind {
  readonly takes: readonly (ValueType | 'any' | 'number')[]
  readonly optional?: number
  readonly isVariadic?: true
  /** The values from this one on are alternatives, which must have one type. */
  readonly alternatives?: number
  readonly type: ValueType | ((parts: readonly Pick<TypedSql, 'type'>[]) => ValueType)
  readonly sql: (values: readonly Sql[], parts: readonly TypedSql[]) => Sql
}

/**
 * The text in the one collation in which expressions combine texts. Columns have different collations, and PostgreSQL
 * neither compares texts of two nor changes the case of a text that is made of both.
 */
export const collated = (text: Sql): Sql => sql`(${text} collate "und-x-icu")`

/** PostgreSQL's types, in which values of each type are combined. */
const SQL_TYPES: Readonly<Record<ValueType, Sql>> = {
  text: raw('text'),
  integer: raw('numeric'),
  decimal: raw('numeric'),
  boolean: raw('boolean'),
  date: raw('date'),
  dateTime: raw('timestamptz'),
  null: raw('text'),
}

/** The value in the form in which it can be combined with any other of its type, or with those of `type`. */
export const operand = (value: TypedSql, type: ValueType = value.type): Sql => {
  // A timestamp as its day.
  if (type === 'date' && value.type === 'dateTime') return sql`(${value.sql} at time zone 'UTC')::date`
  const cast = sql`${value.sql}::${SQL_TYPES[type]}`
  return type === 'text' ? collated(cast) : cast
}

/** The value as a text, as the API shows it. */
export function textOfValue({ type, sql: value }: TypedSql): Sql {
  if (type === 'decimal') return sql`trim_scale(${value}::numeric)::text`
  if (type === 'date') return sql`to_char(${value}, 'YYYY-MM-DD')`
  if (type !== 'dateTime') return sql`${value}::text`
  const text = sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
  return sql`replace(${text}, '.000000', '') || 'Z'`
}

/**
 * The result of `use`, which may contain the value several times. It is computed once: copies of values that contain
 * copies would grow without bound.
 */
const once = (value: Sql, use: (value: Sql) => Sql): Sql =>
  sql`(select ${use(sql`once.v`)} from (select ${value} as v offset 0) once)`

/** The value in the form of a result of its type. */
export const resultOf = ({ type, sql: value }: TypedSql): Sql => {
  if (type === 'decimal') return sql`trim_scale(${value}::numeric)`
  return type === 'integer' ? sql`${value}::bigint` : sql`${value}::${SQL_TYPES[type]}`
}

const FIRST_DAY = sql`date '0001-01-01'`
/** Number of days up to the year 9999. */
const DAY_COUNT = 3_652_059
/** The day some days after `date`; null outside of the years 1 to 9999, which texts of dates can name. */
const dayAfter = (date: Sql, count: Sql): Sql => {
  const bounded = sql`least(greatest((${date} - ${FIRST_DAY}) + round(${count}), -1), ${DAY_COUNT}::numeric)`
  return sql`${FIRST_DAY} + nullif(nullif(${bounded}, -1), ${DAY_COUNT}::numeric)::integer`
}

/** The type of alternatives; the compiler has checked that they fit together. */
export const commonType = (parts: readonly Pick<TypedSql, 'type'>[]): ValueType => {
  const types = parts.map(({ type }) => type).filter((type) => type !== 'null')
  return types.find((type) => type === 'decimal') ?? types[0] ?? 'text'
}

/** The day that a text names: `2027-02-03`, perhaps with a time. */
const dayIn = (value: Sql): Sql =>
  once(value, (text) => {
    const first = sql`(left(${text}, 7) || '-01')::date`
    // Each condition protects the next one, because a day that does not exist is an error.
    return sql`case when ${text} ~ '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ].*)?$' then
      case when substr(${text}, 9, 2)::integer <= extract(day from ${first} + interval '1 month - 1 day') then
        ${first} + (substr(${text}, 9, 2)::integer - 1) end end`
  })

/** The number that a text is. */
const numberIn = (value: Sql): Sql =>
  once(value, (text) => sql`case when ${text} ~ '^-?[0-9]{1,100}([.][0-9]{1,100})?$' then ${text}::numeric end`)

/** A small whole number, for lengths and decimal places; null stays null. */
const small = (value: Sql = sql`0`): Sql =>
  once(
    value,
    (number) => sql`case when ${number} is not null then least(greatest(round(${number}), 0), 1000)::integer end`,
  )

export const FUNCTIONS = {
  coalesce: {
    ...{ takes: ['any'], isVariadic: true, alternatives: 0, type: commonType },
    sql: (values) => sql`coalesce(${join(values)})`,
  },
  if: {
    ...{ takes: ['boolean', 'any', 'any'], alternatives: 1, type: ([, ...list]) => commonType(list) },
    sql: ([condition, yes, no]) => sql`case when ${condition} then ${yes} else ${no} end`,
  },
  one_of: {
    ...{ takes: ['any', 'any'], isVariadic: true, alternatives: 0, type: 'boolean' },
    sql: ([value, ...list]) => sql`${value} in (${join(list)})`,
  },
  lower: { takes: ['text'], type: 'text', sql: ([text]) => sql`lower(${text})` },
  upper: { takes: ['text'], type: 'text', sql: ([text]) => sql`upper(${text})` },
  trim: { takes: ['text'], type: 'text', sql: ([text]) => sql`btrim(${text})` },
  length: { takes: ['text'], type: 'integer', sql: ([text]) => sql`length(${text})::bigint` },
  left: { takes: ['text', 'number'], type: 'text', sql: ([text, count]) => sql`left(${text}, ${small(count)})` },
  right: { takes: ['text', 'number'], type: 'text', sql: ([text, count]) => sql`right(${text}, ${small(count)})` },
  contains: { takes: ['text', 'text'], type: 'boolean', sql: ([text, part]) => sql`strpos(${text}, ${part}) > 0` },
  starts_with: { takes: ['text', 'text'], type: 'boolean', sql: ([text, part]) => sql`starts_with(${text}, ${part})` },
  ends_with: {
    takes: ['text', 'text'],
    type: 'boolean',
    sql: ([text, part = sql`null`]) => once(part, (end) => sql`right(${text}, length(${end})) = ${end}`),
  },
  concat: {
    takes: ['any'],
    isVariadic: true,
    type: 'text',
    sql: (_values, parts) => sql`concat(${join(parts.map(textOfValue))})`,
  },
  text: { takes: ['any'], type: 'text', sql: (_values, parts) => join(parts.map(textOfValue)) },
  number: {
    takes: ['any'],
    type: 'decimal',
    sql: (_values, parts) => join(parts.map((part) => numberIn(textOfValue(part)))),
  },
  date: { takes: ['any'], type: 'date', sql: (_values, parts) => join(parts.map((part) => dayIn(textOfValue(part)))) },
  round: {
    takes: ['number', 'number'],
    optional: 1,
    type: 'decimal',
    sql: ([value, places]) => sql`round(${value}, ${small(places)})`,
  },
  abs: { takes: ['number'], type: 'decimal', sql: ([value]) => sql`abs(${value})` },
  year: { takes: ['date'], type: 'integer', sql: ([date]) => sql`extract(year from ${date})::bigint` },
  month: { takes: ['date'], type: 'integer', sql: ([date]) => sql`extract(month from ${date})::bigint` },
  add_days: {
    takes: ['date', 'number'],
    type: 'date',
    sql: ([date = sql`null`, count = sql`null`]) => dayAfter(date, count),
  },
  days_between: { takes: ['date', 'date'], type: 'integer', sql: ([from, to]) => sql`(${to} - ${from})::bigint` },
  today: { takes: [], type: 'date', sql: () => volatile`current_date` },
  now: { takes: [], type: 'dateTime', sql: () => volatile`now()` },
} satisfies Readonly<Record<string, FunctionKind>>

/** Functions over the objects of a relation. */
interface AggregateKind {
  /** Whether it takes a field of the objects. */
  readonly ofField: boolean
  /** The type of its result; that of the field if it is undefined. */
  readonly type: ValueType | undefined
  /** `value`: that of the field, or the condition; undefined for all objects. */
  readonly sql: (value: TypedSql) => Sql
  /** The condition is what it computes with, instead of a choice of objects. */
  readonly judges?: true
}

/** Null for no objects: what does not exist is neither equal nor different. */
const AGGREGATES = {
  count: { ofField: false, type: 'integer', sql: () => sql`count(*)` },
  sum: { ofField: true, type: 'decimal', sql: ({ sql: value }) => sql`coalesce(sum(${value}), 0)` },
  avg: { ofField: true, type: 'decimal', sql: ({ sql: value }) => sql`avg(${value})` },
  // False is less than true.
  min: {
    ...{ ofField: true, type: undefined },
    sql: ({ type, sql: value }) => (type === 'boolean' ? sql`bool_and(${value})` : sql`min(${value})`),
  },
  max: {
    ...{ ofField: true, type: undefined },
    sql: ({ type, sql: value }) => (type === 'boolean' ? sql`bool_or(${value})` : sql`max(${value})`),
  },
  any: {
    ...{ ofField: false, type: 'boolean', judges: true },
    sql: ({ sql: condition }) => sql`coalesce(bool_or(${condition}), false)`,
  },
  all: { ofField: false, type: 'boolean', judges: true, sql: ({ sql: condition }) => sql`bool_and(${condition})` },
  unique: {
    ...{ ofField: true, type: 'boolean' },
    sql: ({ sql: value }) => sql`nullif(count(${value}), 0) = count(distinct ${value})`,
  },
  same: {
    ...{ ofField: true, type: 'boolean' },
    sql: ({ sql: value }) => sql`nullif(count(distinct ${value}), 0) = 1`,
  },
} satisfies Readonly<Record<string, AggregateKind>>

type AggregateName = keyof typeof AGGREGATES

/** The function over the objects of a relation; undefined for any other name. */
export const aggregateNamed = (name: string): AggregateKind | undefined => ownValue(AGGREGATES, name)

/** Functions that take more than values: an address, list or JSON field, or a text that is part of the expression. */
export type SpecialFunction = 'matches' | 'within' | 'prefix_length' | 'host' | 'address_count' | 'includes' | 'json'

/** What each function takes and returns. The pages translate the sentences. */
export const FUNCTION_HELP = {
  count: ['relation', 'Number of related objects'],
  sum: ['relation.field', 'Sum of a field of the related objects'],
  avg: ['relation.field', 'Average of a field of the related objects'],
  min: ['relation.field', 'Smallest value of a field of the related objects'],
  max: ['relation.field', 'Largest value of a field of the related objects'],
  any: ['relation where condition', 'Whether a related object meets the condition'],
  all: ['relation where condition', 'Whether all related objects meet the condition'],
  unique: ['relation.field', 'Whether no two related objects have the same value in the field'],
  same: ['relation.field', 'Whether all related objects have the same value in the field'],
  matches: ['text, pattern', 'Whether the text matches a regular expression'],
  within: ['address, prefix', 'Whether an address or prefix is within a prefix'],
  prefix_length: ['address', 'Number of bits of the prefix of an address'],
  address_count: ['prefix', 'Number of addresses of a prefix'],
  includes: ['list, a, b, …', 'Whether a field with a list includes one of the values'],
  json: ["field, 'key.key'", 'The value at some keys of a JSON field as a text; without keys, all of it'],
  host: ['address', 'The address without the length of its prefix'],
  coalesce: ['a, b, …', 'The first value that is not missing'],
  if: ['condition, a, b', 'a if the condition is true, otherwise b'],
  one_of: ['value, a, b, …', 'Whether the value is one of the others'],
  lower: ['text', 'The text in lower case'],
  upper: ['text', 'The text in upper case'],
  trim: ['text', 'The text without spaces around it'],
  length: ['text', 'Number of characters'],
  left: ['text, n', 'The first n characters'],
  right: ['text, n', 'The last n characters'],
  contains: ['text, part', 'Whether the text contains the part'],
  starts_with: ['text, part', 'Whether the text starts with the part'],
  ends_with: ['text, part', 'Whether the text ends with the part'],
  concat: ['a, b, …', 'The values joined as one text'],
  text: ['value', 'The value as a text'],
  number: ['value', 'The value as a number, if it has that form'],
  date: ['value', 'The value as a date, if it has that form'],
  round: ['number, places', 'The number rounded to some decimal places'],
  abs: ['number', 'The number without its sign'],
  year: ['date', 'Year of a date'],
  month: ['date', 'Month of a date, from 1 to 12'],
  add_days: ['date, n', 'The date n days later, or earlier if n is negative'],
  days_between: ['from, to', 'Number of days from one date to another'],
  today: ['', 'The present date, in UTC'],
  now: ['', 'The present time, in UTC'],
} as const satisfies Readonly<
  Record<AggregateName | SpecialFunction | keyof typeof FUNCTIONS, readonly [takes: string, help: string]>
>
