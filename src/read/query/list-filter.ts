import { type Sql, sql } from '../../sql/fragment.ts'
import type { ListCondition } from './filter.ts'
import type { FilterContext } from './filter-context.ts'
import { reaches } from './reach.ts'
import { RefusedValue } from './refused-value.ts'

/** Predicate: the list at the end of the path compares as a whole. */
export const compileListCompare = (
  { path, comparison, values }: ListCondition,
  { model, alias }: FilterContext,
): Sql =>
  reaches(model, alias, path, (column, end) => {
    if (end.kind === 'column' && end.column.type === 'int4range[]') {
      return sql`exists (select from unnest(${column}) item where item @> ${Number(values)}::integer)`
    }
    const isText = end.kind === 'column' && end.column.type.startsWith('text')
    const list = isText ? sql`${values}::text[]` : sql`${values}::integer[]`
    switch (comparison) {
      case 'contains':
        return sql`${column} @> ${isText ? sql`${[values].flat()}::text[]` : list}`
      case 'contained_by':
        return sql`${column} <@ ${list}`
      case 'overlap':
        return sql`${column} && ${list}`
      case 'length':
        return sql`coalesce(array_length(${column}, 1), 0) = ${Number(values)}::integer`
      default:
        throw new RefusedValue(`A list has no lookup ${comparison}.`)
    }
  })
