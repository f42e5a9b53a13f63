import { type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { checkExpression } from './expression.ts'
import { anyOf, type FilterCall, givenValues, NULL_TOKEN, negate } from './filter-call.ts'
import { COMPARE_TEXT, isNumberComparison, isTextComparison, LOOKUPS } from './lookups.ts'
import { compareNumbers } from './number-filter.ts'
import {
  parseBoolean,
  parseDate,
  parseDateTime,
  parseDecimal,
  parseInteger,
  parseText,
} from './parse-value.ts'

/** How values of a custom field are kept in JSON, as far as comparisons go. */
type Shape = 'text' | 'texts' | 'number' | 'numbers' | 'date' | 'dateTime' | 'boolean'

const SHAPES = {
  text: 'text',
  longtext: 'text',
  url: 'text',
  select: 'text',
  multiselect: 'texts',
  integer: 'number',
  decimal: 'number',
  object: 'number',
  multiobject: 'numbers',
  date: 'date',
  datetime: 'dateTime',
  boolean: 'boolean',
} as const satisfies Record<string, Shape>

/** Types of custom fields that can be filtered by: all but json. */
export type FilterableType = keyof typeof SHAPES
export const isFilterableType = (type: string): type is FilterableType => type in SHAPES

/** A custom field as filters know it. */
export interface FilterableField {
  readonly name: string
  readonly type: FilterableType
  /** Texts are found by a part of them. */
  readonly isLoose: boolean
  /** Model of the objects whose ids are the values; undefined for values that name no objects. */
  readonly related?: string | undefined
}

/** The lookups that the field's values have: those of texts, of numbers, or none. */
export function lookupFamily({ type, isLoose }: FilterableField): 'text' | 'number' | 'none' {
  const shape = SHAPES[type]
  if (shape === 'boolean') return 'none'
  if (shape === 'texts' || type === 'select') return 'text'
  // The bare parameter already finds parts: the reference gives loose texts no lookups.
  if (shape === 'text') return isLoose ? 'none' : 'text'
  return 'number'
}

/** A custom field. A missing key and null are the same: no value; negations keep such rows. */
export async function filterCustomField(
  { field }: { readonly field: FilterableField },
  call: FilterCall,
): Promise<Sql | undefined> {
  const value = visibleValue(field, call)
  const { comparison, negated } = LOOKUPS[call.lookup]
  if (comparison === 'empty' || SHAPES[field.type] === 'boolean') {
    const wanted = parseBoolean(call.values.at(-1) ?? '')
    if (wanted === undefined) return undefined
    if (comparison !== 'empty') return sql`${value} = ${String(wanted)}::jsonb`
    const isFilled = sql`nullif(${value} #>> '{}', '') is not null`
    return wanted ? negate(isFilled) : isFilled
  }
  const given = givenValues(call)
  if (given.length === 0) return undefined
  const isText = SHAPES[field.type] === 'text' || SHAPES[field.type] === 'texts'
  const values = isText ? given.filter((each) => each !== NULL_TOKEN) : given
  const predicates = await compare(field, value, call, values)
  if (values.length < given.length) {
    predicates.push(sql`coalesce(jsonb_typeof(${value}), 'null') = 'null'`)
  }
  const positive = anyOf(predicates)
  return negated ? negate(positive) : positive
}

/** The field's value; ids of objects that are hidden from whoever asks are not among them. */
function visibleValue({ name, type, related }: FilterableField, call: FilterCall): Sql {
  const value = sql`(${call.alias}.custom_field_data -> ${name}::text)`
  const to = related === undefined ? undefined : call.registry.models.get(related)
  if (!to || call.visibleRows(to) === 'all') return value
  // The statement shows this table as whoever asks sees it.
  const isSeen = (item: Sql) =>
    sql`(case jsonb_typeof(${item}) when 'number' then ${item}::bigint end) in (select seen.id from ${table(to)} seen)`
  return SHAPES[type] === 'numbers'
    ? sql`(select jsonb_agg(item) from ${elements(value)} where ${isSeen(sql`item`)})`
    : sql`(case when ${isSeen(value)} then ${value} end)`
}

async function compare(
  field: FilterableField,
  value: Sql,
  call: FilterCall,
  given: readonly string[],
): Promise<Sql[]> {
  if (given.length === 0) return []
  const shape = SHAPES[field.type]
  if (shape === 'text' || shape === 'texts') {
    const matches = await textCondition(field, call, given)
    return [shape === 'text' ? matches(sql`(${value} #>> '{}')`) : someText(value, matches)]
  }
  const { comparison } = LOOKUPS[call.lookup]
  if (!isNumberComparison(comparison)) throw new Error(`cf_${field.name}: ${call.lookup}`)
  switch (shape) {
    case 'number':
    case 'numbers': {
      const parse = field.type === 'decimal' ? parseDecimal : parseInteger
      const numbers = given.map((each) => String(parse(each)))
      const matches = (number: Sql) => compareNumbers(number, comparison, numbers, sql`::numeric`)
      return [shape === 'number' ? matches(asNumber(value)) : someNumber(value, matches)]
    }
    case 'date':
      return [
        compareNumbers(
          sql`(${value} #>> '{}') collate "C"`,
          comparison,
          given.map(parseDate),
          sql`::text`,
        ),
      ]
    case 'dateTime':
      return [
        compareNumbers(asMoment(value), comparison, given.map(parseDateTime), sql`::timestamptz`),
      ]
    default:
      throw new Error(`cf_${field.name}: ${shape} has no lookup ${call.lookup}`)
  }
}

async function textCondition(
  field: FilterableField,
  call: FilterCall,
  given: readonly string[],
): Promise<(text: Sql) => Sql> {
  const { comparison } = LOOKUPS[call.lookup]
  const isLoose = field.isLoose && lookupFamily(field) === 'none'
  const asked = isLoose ? 'ic' : comparison
  if (!isTextComparison(asked)) throw new Error(`cf_${field.name} has no lookup ${call.lookup}`)
  const texts = given.map(parseText)
  const values =
    asked === 'regex' || asked === 'iregex'
      ? await Promise.all(texts.map((each) => checkExpression(call.database, each)))
      : texts
  return (text) => anyOf(values.map((each) => COMPARE_TEXT[asked](text, each, 'plain')))
}

/** Values of another type than the field's, left behind by a change of the field, are no value. */
const asNumber = (value: Sql): Sql =>
  sql`(case jsonb_typeof(${value}) when 'number' then ${value}::numeric end)`

const MOMENT =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?)?(Z|[+-]\\d\\d:\\d\\d)?$'

const asMoment = (value: Sql): Sql =>
  sql`(case when (${value} #>> '{}') ~ ${MOMENT} then (${value} #>> '{}')::timestamptz end)`

const elements = (value: Sql): Sql =>
  sql`jsonb_array_elements(case jsonb_typeof(${value}) when 'array' then ${value} end) item`

const someText = (value: Sql, matches: (text: Sql) => Sql): Sql =>
  sql`exists (select from ${elements(value)} where ${matches(sql`(item #>> '{}')`)})`

const someNumber = (value: Sql, matches: (number: Sql) => Sql): Sql =>
  sql`exists (select from ${elements(value)} where ${matches(asNumber(sql`item`))})`
