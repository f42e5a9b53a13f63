import type { ListContainsFilter, NumberFilter } from '../schema/filter.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { anyOf, type FilterCall, givenValues, negate } from './filter-call.ts'
import { COMPARE_NUMBER, isNumberComparison, LOOKUPS, type NumberComparison } from './lookups.ts'
import {
  parseBoolean,
  parseDate,
  parseDateTime,
  parseDecimal,
  parseInteger,
} from './parse-value.ts'
import { reaches } from './reach.ts'
import { RefusedValue } from './refused-value.ts'

const LARGEST = 2n ** 63n - 1n
const SMALLEST = -(2n ** 63n)

/** How values of each kind are read and what they are cast to. */
const KINDS: Readonly<
  Record<NumberFilter['kind'], { readonly parse: (text: string) => unknown; readonly cast: Sql }>
> = {
  integer: { parse: parseInteger, cast: sql`::bigint` },
  decimal: { parse: parseDecimal, cast: sql`::numeric` },
  date: { parse: parseDate, cast: sql`::date` },
  dateTime: { parse: parseDateTime, cast: sql`::timestamptz` },
}

/** Numbers and moments: any of the values, by the lookup's comparison. */
export function filterNumber(filter: NumberFilter, call: FilterCall): Sql | undefined {
  const { comparison, negated } = LOOKUPS[call.lookup]
  if (comparison === 'empty') return filterEmptyNumber(filter, call)
  const asked = call.lookup === 'exact' ? (filter.compare ?? 'exact') : comparison
  if (!isNumberComparison(asked)) throw new Error(`A number has no lookup ${call.lookup}`)
  const values = givenValues(call).map(KINDS[filter.kind].parse)
  if (values.length === 0) return undefined
  const positive = reaches(call.model, call.alias, filter.path, (column) =>
    compareNumbers(column, asked, values, KINDS[filter.kind].cast),
  )
  return negated ? negate(positive) : positive
}

/** Any of the values compares with the column as asked. */
export function compareNumbers(
  column: Sql,
  comparison: NumberComparison,
  values: readonly unknown[],
  cast: Sql,
): Sql {
  const usable = values.flatMap((value) => withinRange(comparison, value))
  if (usable.length === 0) return sql`false`
  // One text for any number of values, so that statements are prepared once.
  if (comparison === 'exact') return sql`${column} = any(${usable}${cast}[])`
  return anyOf(usable.map((value) => COMPARE_NUMBER[comparison](column, sql`${value}${cast}`)))
}

/** No column equals a number beyond 64 bits; for a comparison the nearest that exists does as well. */
function withinRange(comparison: NumberComparison, value: unknown): readonly unknown[] {
  if (typeof value !== 'bigint') return [value]
  const nearest = value > LARGEST ? LARGEST : value < SMALLEST ? SMALLEST : value
  return comparison === 'exact' && nearest !== value ? [] : [nearest]
}

function filterEmptyNumber(filter: NumberFilter, call: FilterCall): Sql | undefined {
  const field = call.model.fields.get(filter.path)
  // For `created` and `last_updated` the reference reads the value as a moment, and then fails: there
  // is nothing to be compatible with but the refusal.
  if (field?.kind === 'dateTime' && field.auto) throw new RefusedValue('Enter a valid date/time.')
  const wanted = parseBoolean(call.values.at(-1) ?? '')
  if (wanted === undefined) return undefined
  const filled = reaches(
    call.model,
    call.alias,
    filter.path,
    (column) => sql`${column} is not null`,
  )
  return wanted ? negate(filled) : filled
}

/** Lists of numbers or texts: any element compares with any of the values as asked. */
export function filterListContains(filter: ListContainsFilter, call: FilterCall): Sql | undefined {
  const { comparison, negated } = LOOKUPS[call.lookup]
  const { model, alias } = call
  if (comparison === 'empty') {
    const wanted = parseBoolean(call.values.at(-1) ?? '')
    if (wanted === undefined) return undefined
    const filled = reaches(model, alias, filter.path, (list) => sql`cardinality(${list}) > 0`)
    return wanted ? negate(filled) : filled
  }
  if (!isNumberComparison(comparison)) throw new Error(`A list has no lookup ${call.lookup}`)
  const given = givenValues(call)
  if (given.length === 0) return undefined
  const values = filter.of === 'integer' ? given.map(parseInteger) : given
  const cast = filter.of === 'integer' ? sql`::bigint` : sql`::text`
  const positive = reaches(
    model,
    alias,
    filter.path,
    (list) =>
      sql`exists (select from unnest(${list}) item where ${compareNumbers(sql`item`, comparison, values, cast)})`,
  )
  return negated ? negate(positive) : positive
}
