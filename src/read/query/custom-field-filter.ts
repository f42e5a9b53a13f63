import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { anyOf, type Condition, type Filter, notIf } from './filter.ts'
import { comparedTexts, either, type FilterContext } from './filter-context.ts'
import { type FilterableField, type FilterableType, lookupFamily, SHAPES } from './filterable-field.ts'
import { holdsCustomValues, objectsOfValues } from './held-custom-values.ts'
import { compareText, isNumberComparison, isTextComparison, lookupOf, type NumberComparison } from './lookups.ts'
import { compareAny, compareNumbers } from './number-filter.ts'
import { parseBoolean, parseDate, parseDateTime, parseDecimal, parseInteger, parseText } from './parse-value.ts'
import { lastParameterValue, NULL_TOKEN, parameterValues, type RequestParameter } from './request-parameter.ts'

type CustomFieldCondition = Extract<Condition, { readonly kind: 'customField' }>

/** A custom field. A missing key and null are the same: no value; negations keep such rows. */
export function parseCustomFieldFilter(
  { field }: { readonly field: FilterableField },
  parameter: RequestParameter,
): Filter | undefined {
  const { comparison, negated } = lookupOf(parameter.lookup)
  const condition = (compared: CustomFieldCondition['comparison'], values: readonly string[] = []): Filter => ({
    kind: 'customField',
    field,
    comparison: compared,
    values,
  })
  if (comparison === 'empty' || SHAPES[field.type] === 'boolean') {
    const value = parseBoolean(lastParameterValue(parameter))
    if (value === undefined) return undefined
    return comparison === 'empty' ? notIf(value, condition('filled')) : condition('exact', [String(value)])
  }
  const values = parameterValues(parameter)
  if (values.length === 0) return undefined
  const isText = SHAPES[field.type] === 'text' || SHAPES[field.type] === 'texts'
  const nonNull = isText ? values.filter((value) => value !== NULL_TOKEN) : values
  const filters: Filter[] = []
  if (nonNull.length > 0) {
    const isLoose = field.isLoose && lookupFamily(field) === 'none' && isText
    filters.push(condition(isLoose ? 'icontains' : comparison, nonNull.map(PARSERS[field.type])))
  }
  if (nonNull.length < values.length) filters.push(condition('lacking'))
  return notIf(negated, anyOf(filters))
}

const parseWhole = (text: string): string => String(parseInteger(text))

/** How values are read, by the type of the field. */
const PARSERS: Readonly<Record<FilterableType, (text: string) => string>> = {
  text: parseText,
  longtext: parseText,
  url: parseText,
  select: parseText,
  multiselect: parseText,
  integer: parseWhole,
  decimal: parseDecimal,
  object: parseWhole,
  multiobject: parseWhole,
  date: parseDate,
  datetime: parseDateTime,
  boolean: parseText,
}

/** Predicate: the object's value of the field compares with any of the values. */
export async function compileCustomField(condition: CustomFieldCondition, context: FilterContext): Promise<Sql> {
  const compared = await compareValue(condition, context)
  const { field, comparison, values } = condition
  const held = comparison === 'exact' ? objectsOfValues(field, values) : undefined
  if (!held) return compared
  // In this order, a negation, which no index can answer, does not search by content.
  return sql`(${compared} is true and ${holdsCustomValues(context.alias, sql`any(${held}::jsonb[])`)})`
}

async function compareValue({ field, comparison, values }: CustomFieldCondition, context: FilterContext): Promise<Sql> {
  const value = visibleValue(field, context)
  const shape = SHAPES[field.type]
  if (comparison === 'filled') return sql`nullif(${value} #>> '{}', '') is not null`
  if (comparison === 'lacking') return sql`coalesce(jsonb_typeof(${value}), 'null') = 'null'`
  if (shape === 'boolean') return sql`${value} = ${values[0] ?? 'null'}::jsonb`
  if (shape === 'text' || shape === 'texts') {
    if (!isTextComparison(comparison)) throw noLookup(field, comparison)
    const compared = await comparedTexts(context, comparison, values)
    const matches = (text: Sql): Sql =>
      either(compared.map((expected) => compareText(comparison, text, expected, 'plain')))
    return shape === 'text' ? matches(sql`(${value} #>> '{}')`) : someText(value, matches)
  }
  if (!isNumberComparison(comparison)) throw noLookup(field, comparison)
  return compareShape(shape, value, comparison, values)
}

function compareShape(
  shape: 'number' | 'numbers' | 'date' | 'dateTime',
  value: Sql,
  comparison: NumberComparison,
  values: readonly string[],
): Sql {
  const matches = (number: Sql): Sql => compareNumbers(number, comparison, 'decimal', values)
  switch (shape) {
    case 'number':
      return matches(asNumber(value))
    case 'numbers':
      return someNumber(value, matches)
    case 'date':
      return compareAny(sql`(${value} #>> '{}') collate "C"`, comparison, values, sql`::text`)
    case 'dateTime':
      return compareNumbers(asTimestamp(value), comparison, 'dateTime', values)
  }
}

const noLookup = ({ name }: FilterableField, comparison: string): Error =>
  new Error(`cf_${name} has no comparison ${comparison}`)

/** The field's value, without the ids of objects that are hidden from the user. */
function visibleValue({ name, type, related }: FilterableField, context: FilterContext): Sql {
  const value = sql`(${context.alias}.${identifier('custom_field_data')} -> ${name}::text)`
  const to = related === undefined ? undefined : context.registry.models.get(related)
  if (!to || context.visibleRows(to) === 'all') return value
  // Row-level security leaves only the visible rows in this table.
  const isVisible = (item: Sql) =>
    sql`(case jsonb_typeof(${item}) when 'number' then ${item}::bigint end) in (select related.id from ${table(to)} related)`
  return SHAPES[type] === 'numbers'
    ? sql`(select jsonb_agg(item) from ${elements(value)} where ${isVisible(sql`item`)})`
    : sql`(case when ${isVisible(value)} then ${value} end)`
}

/** Values of another type, left over from a change to the field, count as missing. */
const asNumber = (value: Sql): Sql => sql`(case jsonb_typeof(${value}) when 'number' then ${value}::numeric end)`

const TIMESTAMP =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?)?(Z|[+-]\\d\\d:\\d\\d)?$'

const asTimestamp = (value: Sql): Sql =>
  sql`(case when (${value} #>> '{}') ~ ${TIMESTAMP} then (${value} #>> '{}')::timestamptz end)`

const elements = (value: Sql): Sql =>
  sql`jsonb_array_elements(case jsonb_typeof(${value}) when 'array' then ${value} end) item`

const someText = (value: Sql, matches: (text: Sql) => Sql): Sql =>
  sql`exists (select from ${elements(value)} where ${matches(sql`(item #>> '{}')`)})`

const someNumber = (value: Sql, matches: (number: Sql) => Sql): Sql =>
  sql`exists (select from ${elements(value)} where ${matches(asNumber(sql`item`))})`
