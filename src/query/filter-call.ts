import type { Model, Registry } from '../schema/registry.ts'
import { join, type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { LookupName } from './lookups.ts'
import type { RelatedValues } from './related-values.ts'
import type { VisibleRows } from './row-predicate.ts'

/** One parameter of a request, with all that its SQL depends on. */
export interface FilterCall {
  readonly registry: Registry
  readonly model: Model
  /** Name of the filtered rows. */
  readonly alias: Sql
  readonly lookup: LookupName
  /** As given, in order; empty ones are among them. At least one. */
  readonly values: readonly string[]
  /** Whether several values count, or only the last. */
  readonly multiple: boolean
  readonly related: RelatedValues
  readonly database: Queryable
  readonly visibleRows: VisibleRows
  /** Id of the user who asks. */
  readonly user: number | undefined
}

/** The word that stands for "no value". */
export const NULL_TOKEN = 'null'

/** The values that count: all or the last; empty ones are nobody's. */
export function givenValues({ values, multiple }: FilterCall): readonly string[] {
  const given = multiple ? values : values.slice(-1)
  return given.filter((value) => value !== '')
}

/** Any of the predicates, each of which holds together by itself; `false` where there is none. */
export function anyOf(predicates: readonly Sql[]): Sql {
  const [first] = predicates
  if (!first) return sql`false`
  return predicates.length === 1 ? first : sql`(${join(predicates, ' or ')})`
}

/** Rows for which the predicate does not hold, also where it is null because there is no value. */
export const negate = (predicate: Sql): Sql => sql`(${predicate}) is not true`
