import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type GroupFilters, membersOf, unusableGroup } from '../groups/conditions.ts'
import { innerAlias } from './alias.ts'
import { compileCustomField } from './custom-field-filter.ts'
import { compileCustom, joinItems } from './custom-filter.ts'
import type { Condition, DynamicGroupCondition, Filter, ListCondition, TreeMatchCondition } from './filter.ts'
import { either, type FilterContext, negate } from './filter-context.ts'
import { compileJsonKey, compileJsonTimestamp } from './json-key-filter.ts'
import { compileList, compileNumber } from './number-filter.ts'
import { compileObjectType } from './object-type-filter.ts'
import { lacks, reaches, throughRelation } from './reach.ts'
import { RefusedValue } from './refused-value.ts'
import { compileRelated } from './relation-filter.ts'
import { compileRequest } from './request-filter.ts'
import { compileSearch } from './search-filter.ts'
import { compileFilled, compileHardwareAddress, compileText } from './text-filter.ts'
import { compileTimePart } from './time-part-filter.ts'

/**
 * Predicate over the context's rows that is true for the rows that the filter matches. Throws RefusedValue if a name in
 * it belongs to no visible object, or a regular expression can't be used.
 */
export async function compileFilter(filter: Filter, context: FilterContext): Promise<Sql> {
  switch (filter.kind) {
    case 'and': {
      const predicates = await compileTogether(filter.filters, context)
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
    case 'dynamicGroup':
      return either(await Promise.all((await membersOf(filter, context)).map(compileMembers(context))))
    default:
      return await compileCondition(filter, context)
  }
}

/** Predicate: the row is a member of the group. Nested refusals name the group. */
const compileMembers =
  (context: FilterContext) =>
  async ({ group, path, filters }: GroupFilters): Promise<Sql> => {
    try {
      const members = { kind: 'and', filters: [...filters.values()] } as const
      return sql`(${await compileFilter(members, { ...context, groups: path })})`
    } catch (error) {
      if (!(error instanceof RefusedValue)) throw error
      throw unusableGroup(group, error.message)
    }
  }

/** Predicate: a single related object meets the whole filter. */
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
  const typeNames = sql`select ${alias}.app_label || '.' || ${alias}.model from ${table(types)} ${alias} where ${predicate}`
  return reaches(context.model, context.alias, path, (column, end) =>
    end.kind === 'column' && end.column.type === 'text[]'
      ? sql`${column} && array(${typeNames})`
      : sql`${column} in (${typeNames})`,
  )
}

const compileAll = (filters: readonly Filter[], context: FilterContext): Promise<Sql[]> =>
  Promise.all(filters.map((filter) => compileFilter(filter, context)))

/** As `compileAll`, for filters that must all hold. */
const compileTogether = (filters: readonly Filter[], context: FilterContext): Promise<Sql[]> =>
  Promise.all(
    joinItems(filters, context).map((condition) =>
      typeof condition === 'function' ? condition() : compileFilter(condition, context),
    ),
  )

const COMPILERS: {
  readonly [K in Exclude<Condition, DynamicGroupCondition>['kind']]: (
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
  jsonTimestamp: compileJsonTimestamp,
  timePart: compileTimePart,
  listCompare: compileListCompare,
  treeMatch: compileTreeMatch,
  boolean: ({ path, value }, { model, alias }) => reaches(model, alias, path, (column) => sql`${column} = ${value}`),
  uuid: ({ path, value }, { model, alias }) => reaches(model, alias, path, (column) => sql`${column} = ${value}::uuid`),
  present: ({ path }, { model, alias }) => reaches(model, alias, path, (value) => sql`${value} is not null`),
  lacking: ({ path }, { model, alias }) => lacks(model, alias, path),
}

async function compileCondition(
  condition: Exclude<Condition, DynamicGroupCondition>,
  context: FilterContext,
): Promise<Sql> {
  // The table is keyed by the kind of the condition with which it is called.
  const compile = COMPILERS[condition.kind] as (condition: Condition, context: FilterContext) => Sql | Promise<Sql>
  return await compile(condition, context)
}

/** Predicate: the list at the end of the path compares as a whole. */
function compileListCompare({ path, comparison, values }: ListCondition, { model, alias }: FilterContext): Sql {
  return reaches(model, alias, path, (column, end) => {
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
        throw new RefusedValue(`Lists do not support the lookup ${comparison}.`)
    }
  })
}

/** Predicate: the node at the end of the path is in the given relation to the named node. */
function compileTreeMatch(
  { path, tree, id, match }: TreeMatchCondition,
  { registry, model, alias }: FilterContext,
): Sql {
  const nodes = registry.model(tree)
  const nodeId = sql`${id}::bigint`
  // A hidden node counts as missing, so nothing matches.
  const isThere = sql`${nodeId} in (select own.id from ${table(nodes)} own)`
  const where = sql`${isThere} and ${relationTo(nodes, nodeId, match)}`
  return reaches(model, alias, path, (node) => sql`${node} in (select n.id from ${table(nodes)} n where ${where})`)
}

/** Predicate over the nodes `n`. `_ancestors` ends with the node itself. */
function relationTo({ definition, columns, ...model }: Model, id: Sql, match: string): Sql {
  const parentColumn = columns.get(definition.tree?.parent ?? 'parent')?.name ?? 'parent_id'
  const parent = sql`n.${identifier(parentColumn)}`
  const valueOfNode = (value: Sql) =>
    sql`(select ${value} from ${table({ name: model.name, table: model.table })} own where own.id = ${id})`
  switch (match) {
    case 'EXACT':
      return sql`n.id = ${id}`
    case 'DESCENDANTS':
      return sql`${id} = any(n._ancestors) and n.id <> ${id}`
    case 'SELF_AND_DESCENDANTS':
      return sql`${id} = any(n._ancestors)`
    case 'CHILDREN':
      return sql`${parent} = ${id}`
    case 'SIBLINGS':
      return sql`n.id <> ${id} and ${parent} is not distinct from ${valueOfNode(sql`own.${identifier(parentColumn)}`)}`
    case 'ANCESTORS':
      return sql`n.id in (select unnest(own._ancestors) from ${table({ name: model.name, table: model.table })} own where own.id = ${id}) and n.id <> ${id}`
    case 'PARENT':
      return sql`n.id = ${valueOfNode(sql`own.${identifier(parentColumn)}`)}`
    default:
      throw new RefusedValue(`Nodes cannot be matched by ${match}.`)
  }
}
