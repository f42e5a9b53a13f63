import type { Model, Registry } from '../../schema/registry.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { isExpression, type TextComparison } from './lookups.ts'
import { checkPattern } from './regular-expression.ts'
import type { RelatedValues } from './related-values.ts'
import type { VisibleRows } from './row-predicate.ts'

/** The inputs of a filter's SQL, in addition to the filter itself. */
export interface FilterContext {
  readonly registry: Registry
  readonly model: Model
  /** Name of the filtered rows. */
  readonly alias: Sql
  /** Ids of the objects that values name. */
  readonly related: RelatedValues
  readonly database: Queryable
  readonly visibleRows: VisibleRows
  /** Id of the requesting user. */
  readonly user: number | undefined
  /** Ids of the dynamic groups whose filters are being compiled, outermost first. */
  readonly groups?: readonly number[]
}

/** At least one of the predicates, which need no parentheses, holds; `false` if there are none. */
export function either(predicates: readonly Sql[]): Sql {
  const [first] = predicates
  if (!first) return sql`false`
  return predicates.length === 1 ? first : sql`(${join(predicates, ' or ')})`
}

/** Rows for which the predicate does not hold, even if it is null because there is no value. */
export const negate = (predicate: Sql): Sql => sql`(${predicate}) is not true`

/**
 * Values of a text comparison in the form that PostgreSQL expects. Throws RefusedValue for expressions that can't be
 * used.
 */
export async function comparedTexts(
  { database }: Pick<FilterContext, 'database'>,
  comparison: TextComparison,
  values: readonly string[],
): Promise<readonly string[]> {
  if (!isExpression(comparison)) return values
  return await Promise.all(values.map((value) => checkPattern(database, value)))
}
