import { join, type Sql, sql } from '../sql/fragment.ts'
import { compileCustomField } from './custom-field-filter.ts'
import { compileCustom } from './custom-filter.ts'
import type { Condition, Filter } from './filter.ts'
import { either, type FilterContext, negate } from './filter-context.ts'
import { compileJsonKey } from './json-key-filter.ts'
import { compileList, compileNumber } from './number-filter.ts'
import { compileObjectType } from './object-type-filter.ts'
import { lacks, reaches } from './reach.ts'
import { compileRelated } from './relation-filter.ts'
import { compileRequest } from './request-filter.ts'
import { compileSearch } from './search-filter.ts'
import { compileFilled, compileHardwareAddress, compileText } from './text-filter.ts'

/**
 * Predicate over the context's rows: those that the filter matches. Throws RefusedValue where a name in it belongs to no
 * visible object, or a regular expression can't be used.
 */
export async function compileFilter(filter: Filter, context: FilterContext): Promise<Sql> {
  switch (filter.kind) {
    case 'and': {
      const predicates = await compileAll(filter.filters, context)
      return predicates.length === 0 ? sql`true` : join(predicates, ' and ')
    }
    case 'or':
      return either(await compileAll(filter.filters, context))
    case 'not':
      return negate(await compileFilter(filter.filter, context))
    default:
      return await compileCondition(filter, context)
  }
}

const compileAll = (filters: readonly Filter[], context: FilterContext): Promise<Sql[]> =>
  Promise.all(filters.map((filter) => compileFilter(filter, context)))

const COMPILERS: {
  readonly [K in Condition['kind']]: (
    condition: Extract<Condition, { readonly kind: K }>,
    context: FilterContext,
  ) => Sql | Promise<Sql>
} = {
  text: compileText,
  number: compileNumber,
  hardwareAddress: compileHardwareAddress,
  list: compileList,
  filled: compileFilled,
  related: compileRelated,
  objectType: compileObjectType,
  custom: compileCustom,
  search: compileSearch,
  request: compileRequest,
  customField: compileCustomField,
  jsonKey: compileJsonKey,
  boolean: ({ path, value }, { model, alias }) =>
    reaches(model, alias, path, (column) => sql`${column} = ${value}`),
  uuid: ({ path, value }, { model, alias }) =>
    reaches(model, alias, path, (column) => sql`${column} = ${value}::uuid`),
  present: ({ path }, { model, alias }) =>
    reaches(model, alias, path, (value) => sql`${value} is not null`),
  lacking: ({ path }, { model, alias }) => lacks(model, alias, path),
}

async function compileCondition(condition: Condition, context: FilterContext): Promise<Sql> {
  // The table is keyed by the kind of the very condition that it is called with.
  const compile = COMPILERS[condition.kind] as (
    condition: Condition,
    context: FilterContext,
  ) => Sql | Promise<Sql>
  return await compile(condition, context)
}
