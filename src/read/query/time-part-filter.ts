import { raw, type Sql, sql } from '../../sql/fragment.ts'
import type { TimePartCondition } from './filter.ts'
import type { FilterContext } from './filter-context.ts'
import { compareAny } from './number-filter.ts'
import { reaches } from './reach.ts'
import { RefusedValue } from './refused-value.ts'

/** Parts by their names in PostgreSQL. */
const PARTS: Readonly<Record<string, string>> = {
  year: 'year',
  month: 'month',
  day: 'day',
  iso_week_day: 'isodow',
  week: 'week',
  iso_year: 'isoyear',
  quarter: 'quarter',
  hour: 'hour',
  minute: 'minute',
  second: 'second',
}

/** Predicate: the part of the date or time at the end of the path compares with any of the values. */
export const compileTimePart = (
  { path, part, comparison, values }: TimePartCondition,
  { model, alias }: FilterContext,
): Sql => reaches(model, alias, path, (column) => compareTimePart(column, { part, comparison, values }))

/** Predicate: the part of the date or time compares with any of the values; without values: it exists. */
export function compareTimePart(
  timestamp: Sql,
  { part, comparison, values }: Pick<TimePartCondition, 'part' | 'comparison' | 'values'>,
): Sql {
  const value = partOf(timestamp, part)
  if (values.length === 0) return sql`${value} is not null`
  return compareAny(value, comparison, values, castOf(part))
}

const castOf = (part: string): Sql => (part === 'date' ? sql`::date` : part === 'time' ? sql`::time` : sql`::numeric`)

function partOf(column: Sql, part: string): Sql {
  if (part === 'date' || part === 'time') return sql`(${column})${castOf(part)}`
  // NetBox counts days from Sunday, which is 1.
  if (part === 'week_day') return sql`(extract(dow from ${column}) + 1)`
  const name = PARTS[part]
  if (name === undefined) throw new RefusedValue(`Times do not have the part ${part}.`)
  const value = sql`extract(${raw(name)} from ${column})`
  return part === 'second' ? sql`floor(${value})` : value
}
