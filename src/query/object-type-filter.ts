import type { ObjectTypeFilter } from '../schema/filter.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { checkExpression } from './expression.ts'
import { anyOf, type FilterCall, givenValues, NULL_TOKEN, negate } from './filter-call.ts'
import { COMPARE_TEXT, isNumberComparison, isTextComparison, LOOKUPS } from './lookups.ts'
import { compareNumbers } from './number-filter.ts'
import { parseBoolean, parseInteger, parseText } from './parse-value.ts'
import { lacks, reaches } from './reach.ts'

/** Types of objects by name (`dcim.site`, in any case; unknown ones match nothing) or by id. */
export async function filterObjectType(
  filter: ObjectTypeFilter,
  call: FilterCall,
): Promise<Sql | undefined> {
  const { comparison, negated } = LOOKUPS[call.lookup]
  const positive = filter.numberLookups
    ? matchNumbers(filter, call)
    : filter.byId
      ? await matchIds(filter, call)
      : comparison === 'exact'
        ? matchNames(filter, call)
        : await matchTexts(filter, call)
  return positive && negated ? negate(positive) : positive
}

function matchNames(filter: ObjectTypeFilter, call: FilterCall): Sql | undefined {
  const values = givenValues(call).map((value) => value.trim().toLowerCase())
  if (values.length === 0) return undefined
  const names = values.filter((value) => call.registry.models.has(value))
  return holds(filter, call, sql`${names}::text[]`)
}

async function matchIds(filter: ObjectTypeFilter, call: FilterCall): Promise<Sql | undefined> {
  const values = call.multiple ? call.values : givenValues(call)
  if (values.length === 0) return undefined
  const types = call.registry.model(SYSTEM.objectType)
  const named = values.filter((value) => !call.multiple || value !== NULL_TOKEN)
  const ids = await call.related.idsOf(types, 'id', named)
  const names = sql`array(select o.app_label || '.' || o.model from ${table(types)} o where o.id = any(${ids}::bigint[]))`
  const tokens = named.length < values.length ? [lacks(call.model, call.alias, filter.path)] : []
  return anyOf([holds(filter, call, names), ...tokens])
}

function matchNumbers(filter: ObjectTypeFilter, call: FilterCall): Sql | undefined {
  const { comparison } = LOOKUPS[call.lookup]
  const { model, alias, registry } = call
  if (comparison === 'empty') {
    const wanted = parseBoolean(call.values.at(-1) ?? '')
    if (wanted === undefined) return undefined
    const filled = reaches(model, alias, filter.path, (type) => sql`${type} is not null`)
    return wanted ? negate(filled) : filled
  }
  if (!isNumberComparison(comparison)) throw new Error(`An id has no lookup ${call.lookup}`)
  const values = givenValues(call).map(parseInteger)
  if (values.length === 0) return undefined
  const types = table(registry.model(SYSTEM.objectType))
  return reaches(model, alias, filter.path, (type) =>
    compareNumbers(
      sql`(select o.id from ${types} o where o.app_label || '.' || o.model = ${type})`,
      comparison,
      values,
      sql`::bigint`,
    ),
  )
}

async function matchTexts(filter: ObjectTypeFilter, call: FilterCall): Promise<Sql | undefined> {
  const { comparison } = LOOKUPS[call.lookup]
  if (!isTextComparison(comparison)) throw new Error(`A type has no lookup ${call.lookup}`)
  const given = givenValues(call).map(parseText)
  if (given.length === 0) return undefined
  const values =
    comparison === 'regex' || comparison === 'iregex'
      ? await Promise.all(given.map((value) => checkExpression(call.database, value)))
      : given
  const compare = COMPARE_TEXT[comparison]
  return reaches(call.model, call.alias, filter.path, (types, end) => {
    const isList = end.kind === 'column' && end.column.type === 'text[]'
    const matches = (type: Sql) => anyOf(values.map((value) => compare(type, value, 'plain')))
    return isList
      ? sql`exists (select from unnest(${types}) item where ${matches(sql`item`)})`
      : matches(types)
  })
}

/** One column holds one name or a list of names. */
const holds = (filter: ObjectTypeFilter, call: FilterCall, names: Sql): Sql =>
  reaches(call.model, call.alias, filter.path, (types, end) =>
    end.kind === 'column' && end.column.type === 'text[]'
      ? sql`${types} && ${names}`
      : sql`${types} = any(${names})`,
  )
