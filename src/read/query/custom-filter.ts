import type { CustomFilter, FilterScope } from '../../schema/filter.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { innerAlias } from './alias.ts'
import { columnOf } from './column.ts'
import type { Condition, Filter } from './filter.ts'
import type { FilterContext } from './filter-context.ts'
import { parametersOf } from './parameters.ts'
import { parseBoolean, parseInteger, parseText, parseUuid } from './parse-value.ts'
import { notAChoice } from './refused-value.ts'
import { NULL_TOKEN, parameterValues, type RequestParameter } from './request-parameter.ts'

type CustomCondition = Extract<Condition, { readonly kind: 'custom' }>
type CustomValues = CustomCondition['values']

/** A filter that a function of the model defines. */
export function parseCustomFilter(filter: CustomFilter, parameter: RequestParameter): Filter | undefined {
  const values = PARSERS[filter.value](filter, parameter)
  return values.length === 0 ? undefined : { kind: 'custom', name: parameter.base, values }
}

/** How the values of each kind are read; undefined means that the parameter is ignored. */
const PARSERS: Readonly<
  Record<CustomFilter['value'], (filter: CustomFilter, parameter: RequestParameter) => CustomValues>
> = {
  text: (_filter, parameter) => parameterValues(parameter).map(parseText),
  uuid: (_filter, parameter) => parameterValues(parameter).map(parseUuid),
  integer: (_filter, parameter) => parameterValues(parameter).map((value) => bounded(parseInteger(value))),
  boolean: (_filter, parameter) =>
    parameterValues(parameter)
      .map(parseBoolean)
      .filter((value) => value !== undefined),
  choice: ({ choices }, parameter) => {
    const values = new Map(choices?.list.map(({ value }) => [String(value), value]))
    return parameterValues(parameter).map((value) => {
      const choice = values.get(value)
      if (choice === undefined) throw notAChoice(value)
      return choice
    })
  },
  related: (_filter, parameter) =>
    parameter.multiple
      ? parameter.values.map((value) => (value === NULL_TOKEN ? null : value))
      : parameterValues(parameter),
}

/** The nearest number that JavaScript represents exactly; no row has a number beyond it. */
function bounded(value: bigint): number {
  const largest = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(value > largest ? largest : value < -largest ? -largest : value)
}

/** Predicate of the function. Throws RefusedValue for the name of a related object that is not visible. */
export async function compileCustom(condition: CustomCondition, context: FilterContext): Promise<Sql> {
  const { itemOf } = customFilterOf(condition, context)
  return itemOf === undefined
    ? await compileFunction(condition, context)
    : await compileItem(itemOf, [condition], context)
}

const ITEM = sql`item.value`

/** Predicate: one item of the list meets all conditions. */
async function compileItem(list: string, conditions: readonly CustomCondition[], context: FilterContext): Promise<Sql> {
  const predicates = await Promise.all(conditions.map((condition) => compileFunction(condition, context)))
  const items = columnOf(context.model, context.alias)(list)
  return sql`exists (select from unnest(${items}) item(value) where ${join(predicates, ' and ')})`
}

/** The filters, with those about items of the same list combined into one predicate about a single item. */
export function joinItems(
  filters: readonly Filter[],
  context: FilterContext,
): readonly (Filter | (() => Promise<Sql>))[] {
  const isOfItem = (filter: Filter): filter is CustomCondition =>
    filter.kind === 'custom' && customFilterOf(filter, context).itemOf !== undefined
  const ofItems = filters.filter(isOfItem)
  if (ofItems.length < 2) return filters
  const byList = Map.groupBy(ofItems, (filter) => customFilterOf(filter, context).itemOf ?? '')
  return [
    ...filters.filter((filter) => !isOfItem(filter)),
    ...[...byList].map(
      ([list, conditions]) =>
        () =>
          compileItem(list, conditions, context),
    ),
  ]
}

function customFilterOf({ name }: CustomCondition, context: FilterContext): CustomFilter {
  const filter = parametersOf(context.registry, context.model).get(name)?.filter
  if (filter?.kind !== 'custom') throw new Error(`${context.model.name} has no function ${name}`)
  return filter
}

async function compileFunction(condition: CustomCondition, context: FilterContext): Promise<Sql> {
  const { values } = condition
  const filter = customFilterOf(condition, context)
  const taken = filter.value === 'related' ? await idsOf(filter, values, context) : values
  return sql`(${filter.where(scopeOf(context), taken)})`
}

async function idsOf(
  { to, by = 'id' }: CustomFilter,
  values: CustomValues,
  { model, registry, related }: FilterContext,
): Promise<CustomValues> {
  if (to === undefined) throw new Error(`${model.name}: a filter of a custom field names no related model`)
  const names = values.flatMap((value) => (value === null ? [] : [String(value)]))
  const ids = await related.idsOf(registry.model(to), by, names)
  return names.length < values.length ? [...ids, null] : ids
}

function scopeOf({ registry, model, alias, user }: FilterContext): FilterScope {
  return {
    column: columnOf(model, alias),
    id: sql`${alias}.id`,
    item: ITEM,
    user,
    select: (name, where) => {
      const target = registry.model(name)
      const inner = innerAlias(alias)
      return sql`select ${inner}.id from ${table(target)} ${inner} where (${where(columnOf(target, inner))})`
    },
  }
}
