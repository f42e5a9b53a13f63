import type { ListContainsFilter, NumberFilter } from '../../schema/filter.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { type Condition, type Filter, type NumberType, notIf } from './filter.ts'
import { either, type FilterContext } from './filter-context.ts'
import { isNumberComparison, lookupOf, NUMBER_OPERATORS, type NumberComparison } from './lookups.ts'
import { parseDate, parseDateTime, parseDecimal, parseInteger } from './parse-value.ts'
import { reaches } from './reach.ts'
import { parameterValues, type RequestParameter } from './request-parameter.ts'
import { parseEmpty } from './text-filter.ts'

const LARGEST = 2n ** 63n - 1n
const SMALLEST = -(2n ** 63n)

/** How values of each type are read and what they are cast to. */
const TYPES: Readonly<Record<NumberType, { readonly parse: (text: string) => string; readonly cast: Sql }>> = {
  integer: { parse: (text) => String(parseInteger(text)), cast: sql`::bigint` },
  decimal: { parse: parseDecimal, cast: sql`::numeric` },
  date: { parse: parseDate, cast: sql`::date` },
  dateTime: { parse: parseDateTime, cast: sql`::timestamptz` },
}

/** Numbers and times: any of the values, by the lookup's comparison. */
export function parseNumberFilter(filter: NumberFilter, parameter: RequestParameter): Filter | undefined {
  const { kind: type, path } = filter
  const { comparison, negated } = lookupOf(parameter.lookup)
  if (comparison === 'empty') return parseEmpty('number', path, parameter)
  const effective = parameter.lookup === 'exact' ? (filter.compare ?? 'exact') : comparison
  if (!isNumberComparison(effective)) throw new Error(`A number has no lookup ${parameter.lookup}`)
  const values = parameterValues(parameter).map(TYPES[type].parse)
  if (values.length === 0) return undefined
  return notIf(negated, { kind: 'number', type, path, comparison: effective, values })
}

/** Lists of numbers or texts: any element compares with any of the values. */
export function parseListFilter({ path, of }: ListContainsFilter, parameter: RequestParameter): Filter | undefined {
  const { comparison, negated } = lookupOf(parameter.lookup)
  if (comparison === 'empty') return parseEmpty('list', path, parameter)
  if (!isNumberComparison(comparison)) throw new Error(`A list has no lookup ${parameter.lookup}`)
  const texts = parameterValues(parameter)
  if (texts.length === 0) return undefined
  const values = of === 'integer' ? texts.map(TYPES.integer.parse) : texts
  return notIf(negated, { kind: 'list', of, path, comparison, values })
}

/** Predicate: the number or time at the end of the path compares with any of the values. */
export const compileNumber = (
  { type, path, comparison, values }: Extract<Condition, { readonly kind: 'number' }>,
  { model, alias }: FilterContext,
): Sql => reaches(model, alias, path, (column) => compareNumbers(column, comparison, type, values))

/** Predicate: an element of the list at the end of the path compares with any of the values. */
export const compileList = (
  { of, path, comparison, values }: Extract<Condition, { readonly kind: 'list' }>,
  { model, alias }: FilterContext,
): Sql =>
  reaches(
    model,
    alias,
    path,
    (list) =>
      sql`exists (select from unnest(${list}) item where ${
        of === 'integer'
          ? compareNumbers(sql`item`, comparison, 'integer', values)
          : compareAny(sql`item`, comparison, values, sql`::text`)
      })`,
  )

/** Predicate: the value compares with any of the given values. */
export const compareNumbers = (
  value: Sql,
  comparison: NumberComparison,
  type: NumberType,
  values: readonly string[],
): Sql => compareAny(value, comparison, type === 'integer' ? withinRange(comparison, values) : values, TYPES[type].cast)

/** As `compareNumbers`, over bound values of any type with their cast. */
export function compareAny(value: Sql, comparison: NumberComparison, values: readonly unknown[], cast: Sql): Sql {
  if (values.length === 0) return sql`false`
  // One text for any number of values, so that statements are prepared once.
  if (comparison === 'exact') return sql`${value} = any(${values}${cast}[])`
  return either(values.map((operand) => NUMBER_OPERATORS[comparison](value, sql`${operand}${cast}`)))
}

/**
 * Whole numbers that PostgreSQL can hold. Nothing equals a number beyond 64 bits; in other comparisons the nearest one
 * gives the same result.
 */
function withinRange(comparison: NumberComparison, values: readonly string[]): readonly bigint[] {
  return values.map(BigInt).flatMap((value) => {
    const nearest = value > LARGEST ? LARGEST : value < SMALLEST ? SMALLEST : value
    return comparison === 'exact' && nearest !== value ? [] : [nearest]
  })
}
