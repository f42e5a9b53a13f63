import type { ObjectTypeFilter } from '../../schema/filter.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { anyOf, type Filter, notIf, type ObjectTypeCondition } from './filter.ts'
import { comparedTexts, either, type FilterContext } from './filter-context.ts'
import { TypePredicate } from './filtered-table.ts'
import { compareText, isNumberComparison, isTextComparison, lookupOf } from './lookups.ts'
import { compareNumbers } from './number-filter.ts'
import { parseInteger, parseText } from './parse-value.ts'
import { reaches } from './reach.ts'
import { NULL_TOKEN, parameterValues, type RequestParameter } from './request-parameter.ts'
import { parseEmpty } from './text-filter.ts'

/** Types of objects by name (`dcim.site`, in any case; unknown ones match nothing) or by id. */
export function parseObjectTypeFilter(filter: ObjectTypeFilter, parameter: RequestParameter): Filter | undefined {
  const { comparison, negated } = lookupOf(parameter.lookup)
  const { path } = filter
  if (filter.numberLookups && comparison === 'empty') return parseEmpty('number', path, parameter)
  const positive = parsePositive(filter, parameter)
  return positive && notIf(negated, positive)
}

function parsePositive(filter: ObjectTypeFilter, parameter: RequestParameter): Filter | undefined {
  const { path } = filter
  const { comparison } = lookupOf(parameter.lookup)
  if (filter.byId && !filter.numberLookups) return parseIds(path, parameter)
  const values = parameterValues(parameter)
  if (filter.numberLookups) {
    if (!isNumberComparison(comparison)) throw new Error(`An id has no lookup ${parameter.lookup}`)
    const ids = values.map((value) => String(parseInteger(value)))
    return ids.length === 0 ? undefined : { kind: 'objectType', path, by: 'number', comparison, values: ids }
  }
  if (comparison === 'exact') {
    if (values.length === 0) return undefined
    const names = values.map((value) => value.trim().toLowerCase())
    const types = names.filter((name) => parameter.registry.models.has(name))
    return { kind: 'objectType', path, by: 'name', values: types }
  }
  if (!isTextComparison(comparison)) throw new Error(`A type has no lookup ${parameter.lookup}`)
  const texts = values.map(parseText)
  return texts.length === 0 ? undefined : { kind: 'objectType', path, by: 'text', comparison, values: texts }
}

function parseIds(path: string, parameter: RequestParameter): Filter | undefined {
  const values = parameter.multiple ? parameter.values : parameterValues(parameter)
  if (values.length === 0) return undefined
  const ids = values.filter((value) => !parameter.multiple || value !== NULL_TOKEN)
  const lacking: Filter[] = ids.length < values.length ? [{ kind: 'lacking', path }] : []
  return anyOf([{ kind: 'objectType', path, by: 'id', values: ids }, ...lacking])
}

/** Predicate: the path leads to one of the types. Throws RefusedValue for the id of a type that does not exist. */
export async function compileObjectType(condition: ObjectTypeCondition, context: FilterContext): Promise<Sql> {
  const { model, alias, registry, related } = context
  const types = table(registry.model(SYSTEM.objectType))
  switch (condition.by) {
    case 'name': {
      const column = model.columns.get(condition.path)
      return column?.field.kind === 'genericForeignKey' && column.type === 'text'
        ? new TypePredicate(sql`${alias}.${identifier(column.name)}`, column.name, condition.values)
        : isAmong(condition, context, sql`${condition.values}::text[]`)
    }
    case 'id': {
      const ids = await related.idsOf(registry.model(SYSTEM.objectType), 'id', condition.values)
      const names = sql`array(select o.app_label || '.' || o.model from ${types} o where o.id = any(${ids}::bigint[]))`
      return isAmong(condition, context, names)
    }
    case 'number':
      return reaches(model, alias, condition.path, (type) =>
        compareNumbers(
          sql`(select o.id from ${types} o where o.app_label || '.' || o.model = ${type})`,
          condition.comparison,
          'integer',
          condition.values,
        ),
      )
    case 'text':
      return await compileTexts(condition, context)
  }
}

async function compileTexts(
  { path, comparison, values }: Extract<ObjectTypeCondition, { readonly by: 'text' }>,
  context: FilterContext,
): Promise<Sql> {
  const compared = await comparedTexts(context, comparison, values)
  const matches = (type: Sql): Sql => either(compared.map((value) => compareText(comparison, type, value, 'plain')))
  return reaches(context.model, context.alias, path, (types, end) =>
    end.kind === 'column' && end.column.type === 'text[]'
      ? sql`exists (select from unnest(${types}) item where ${matches(sql`item`)})`
      : matches(types),
  )
}

/** A column contains one name or a list of names. */
const isAmong = ({ path }: ObjectTypeCondition, { model, alias }: FilterContext, names: Sql): Sql =>
  reaches(model, alias, path, (types, end) =>
    end.kind === 'column' && end.column.type === 'text[]' ? sql`${types} && ${names}` : sql`${types} = any(${names})`,
  )
