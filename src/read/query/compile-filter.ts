import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { innerAlias } from './alias.ts'
import { compileCustomField } from './custom-field-filter.ts'
import { compileCustom } from './custom-filter.ts'
import type { Condition, Filter } from './filter.ts'
import { either, type FilterContext, negate } from './filter-context.ts'
import { compileJsonKey, compileJsonMoment } from './json-key-filter.ts'
import { compileListCompare } from './list-filter.ts'
import { compileMomentPart } from './moment-part-filter.ts'
import { compileList, compileNumber } from './number-filter.ts'
import { compileObjectType } from './object-type-filter.ts'
import { lacks, reaches, throughRelation } from './reach.ts'
import { compileRelated } from './relation-filter.ts'
import { compileRequest } from './request-filter.ts'
import { compileSearch } from './search-filter.ts'
import { compileFilled, compileHardwareAddress, compileText } from './text-filter.ts'
import { compileTreeMatch } from './tree-match-filter.ts'

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
    case 'through':
      return await compileThrough(filter, context)
    case 'ofType':
      return await compileOfType(filter, context)
    default:
      return await compileCondition(filter, context)
  }
}

/** Predicate: a related object meets the filter, all of it at once. */
async function compileThrough(
  { step: name, filter }: Extract<Filter, { readonly kind: 'through' }>,
  context: FilterContext,
): Promise<Sql> {
  const step = context.model.steps.get(name)
  if (!step || step.kind === 'column') throw new Error(`${context.model.name} has no step ${name}`)
  const alias = innerAlias(context.alias)
  const predicate = await compileFilter(filter, { ...context, model: step.to, alias })
  return throughRelation(step, context.alias, () => predicate)
}

/** Predicate: the column names an object type that meets the filter. */
async function compileOfType(
  { path, filter }: Extract<Filter, { readonly kind: 'ofType' }>,
  context: FilterContext,
): Promise<Sql> {
  const types = context.registry.model(SYSTEM.objectType)
  const alias = innerAlias(context.alias)
  const predicate = await compileFilter(filter, { ...context, model: types, alias })
  const named = sql`select ${alias}.app_label || '.' || ${alias}.model from ${table(types)} ${alias} where ${predicate}`
  return reaches(context.model, context.alias, path, (column, end) =>
    end.kind === 'column' && end.column.type === 'text[]'
      ? sql`${column} && array(${named})`
      : sql`${column} in (${named})`,
  )
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
  jsonMoment: compileJsonMoment,
  momentPart: compileMomentPart,
  listCompare: compileListCompare,
  treeMatch: compileTreeMatch,
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
