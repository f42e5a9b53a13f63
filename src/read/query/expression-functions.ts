import type { DerivedType } from '../../schema/field.ts'
import { join, type Sql, sql, volatile } from '../../sql/fragment.ts'

/** Types of values; `null` fits all of them. */
export type ValueType = Exclude<DerivedType, 'json'> | 'date' | 'null'
export const NUMBERS: ReadonlySet<ValueType> = new Set(['integer', 'decimal'])

type Parts = readonly { readonly type: ValueType }[]

/** A function: the types of its arguments, the last one repeated for `rest`, its result and its SQL. */
export interface FunctionKind {
  readonly takes: readonly (ValueType | 'any' | 'number')[]
  readonly optional?: number
  readonly rest?: true
  readonly type: ValueType | ((parts: Parts) => ValueType)
  readonly sql: (values: readonly Sql[]) => Sql
}

const FIRST_DAY = sql`date '0001-01-01'`
/** Number of days up to the year 9999. */
const DAY_COUNT = 3_652_059
/** The day some days after `date`; null outside of the years 1 to 9999, which texts of dates can name. */
const dayAfter = (date: Sql, count: Sql): Sql => {
  const bounded = sql`least(greatest((${date} - ${FIRST_DAY}) + round(${count}), -1), ${DAY_COUNT}::numeric)`
  return sql`${FIRST_DAY} + nullif(nullif(${bounded}, -1), ${DAY_COUNT}::numeric)::integer`
}

const firstType = (parts: Parts): ValueType => parts.find(({ type }) => type !== 'null')?.type ?? 'text'

export const FUNCTIONS = {
  coalesce: { takes: ['any'], rest: true, type: firstType, sql: (values) => sql`coalesce(${join(values)})` },
  if: {
    takes: ['boolean', 'any', 'any'],
    type: (parts) => firstType(parts.slice(1)),
    sql: ([condition, yes, no]) => sql`case when ${condition} then ${yes} else ${no} end`,
  },
  lower: { takes: ['text'], type: 'text', sql: ([text]) => sql`lower(${text})` },
  upper: { takes: ['text'], type: 'text', sql: ([text]) => sql`upper(${text})` },
  trim: { takes: ['text'], type: 'text', sql: ([text]) => sql`btrim(${text})` },
  length: { takes: ['text'], type: 'integer', sql: ([text]) => sql`length(${text})::bigint` },
  left: { takes: ['text', 'number'], type: 'text', sql: ([text, count]) => sql`left(${text}, ${days0(count)})` },
  right: { takes: ['text', 'number'], type: 'text', sql: ([text, count]) => sql`right(${text}, ${days0(count)})` },
  contains: { takes: ['text', 'text'], type: 'boolean', sql: ([text, part]) => sql`strpos(${text}, ${part}) > 0` },
  starts_with: { takes: ['text', 'text'], type: 'boolean', sql: ([text, part]) => sql`starts_with(${text}, ${part})` },
  ends_with: {
    takes: ['text', 'text'],
    type: 'boolean',
    sql: ([text, part]) => sql`right(${text}, length(${part})) = ${part}`,
  },
  concat: { takes: ['any'], rest: true, type: 'text', sql: (values) => sql`concat(${join(values)})` },
  text: { takes: ['any'], type: 'text', sql: ([value]) => sql`${value}::text` },
  number: {
    takes: ['any'],
    type: 'decimal',
    sql: ([value]) =>
      sql`case when ${value}::text ~ '^-?[0-9]{1,15}([.][0-9]{1,10})?$' then ${value}::text::numeric end`,
  },
  date: {
    takes: ['any'],
    type: 'date',
    // Texts of the right form may still name days that do not exist, which `make_date` would refuse.
    sql: ([value]) => sql`case when ${value}::text ~ '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' then
      (left(${value}::text, 7) || '-01')::date + least(
        substr(${value}::text, 9, 2)::integer - 1,
        extract(day from (left(${value}::text, 7) || '-01')::date + interval '1 month - 1 day')::integer - 1) end`,
  },
  round: {
    takes: ['number', 'number'],
    optional: 1,
    type: 'decimal',
    sql: ([value, places]) => sql`round(${value}, ${places ? days0(places) : sql`0`})`,
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

/** A small whole number, for lengths and decimal places. */
function days0(value: Sql | undefined): Sql {
  return sql`least(greatest(round(${value ?? sql`0`}), 0), 1000)::integer`
}

/** Functions over the objects of a relation: the type of the value that they take, and of their result. */
export const AGGREGATES = {
  sum: (value: Sql) => sql`coalesce(sum(${value}), 0)`,
  avg: (value: Sql) => sql`avg(${value})`,
  min: (value: Sql) => sql`min(${value})`,
  max: (value: Sql) => sql`max(${value})`,
}

/** Whether the function is one over the objects of a relation. */
export const isAggregate = (name: string): boolean => name === 'count' || Object.hasOwn(AGGREGATES, name)

/** What each function takes and returns. The pages translate the sentences. */
export const FUNCTION_HELP = {
  count: ['relation', 'Number of related objects'],
  sum: ['relation.field', 'Sum of a field of the related objects'],
  avg: ['relation.field', 'Average of a field of the related objects'],
  min: ['relation.field', 'Smallest value of a field of the related objects'],
  max: ['relation.field', 'Largest value of a field of the related objects'],
  coalesce: ['a, b, …', 'The first value that is not missing'],
  if: ['condition, a, b', 'a if the condition is true, otherwise b'],
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
  Record<'count' | keyof typeof AGGREGATES | keyof typeof FUNCTIONS, readonly [takes: string, help: string]>
>
