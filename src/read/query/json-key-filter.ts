import { parseJson } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { empty, identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Filter, JsonKeyCondition, JsonPlace, JsonTimestampCondition } from './filter.ts'
import { comparedTexts, type FilterContext } from './filter-context.ts'
import { compareText, isNumberComparison, isTextComparison, NUMBER_OPERATORS } from './lookups.ts'
import { parseText } from './parse-value.ts'
import { RefusedValue } from './refused-value.ts'
import { compareTimePart } from './time-part-filter.ts'

/** Comparisons that may be the last part of a name; other names are ordinary keys. */
const COMPARISONS: ReadonlySet<string> = new Set([
  ...['lt', 'lte', 'gt', 'gte'],
  ...['iexact', 'icontains', 'istartswith', 'iendswith', 'regex', 'iregex'],
])

/**
 * A parameter for a key of a JSON field (`attr_wattage__gte=500`), as the model's `keyFilter` declares; undefined for
 * any other name. Parts of the name between `__` lead into nested objects; the last may name a comparison. The value is
 * read as JSON, otherwise as text, and compares only with values of its own type. Throws RefusedValue for a value that
 * cannot be compared.
 */
export function parseJsonKeyFilter(
  { definition: { keyFilter }, columns }: Model,
  name: string,
  value: string,
): Filter | undefined {
  if (!keyFilter || !name.startsWith(keyFilter.prefix)) return undefined
  const column = columns.get(keyFilter.field)?.name ?? keyFilter.field
  const parts = name.slice(keyFilter.prefix.length).split('__')
  const last = parts.at(-1) ?? ''
  const lookup = parts.length > 1 && COMPARISONS.has(last) ? last : undefined
  const keys = lookup === undefined ? parts : parts.slice(0, -1)
  const comparison = lookup ?? 'exact'
  return isNumberComparison(comparison)
    ? { kind: 'jsonKey', column, keys, comparison, value: asJson(value) }
    : isTextComparison(comparison)
      ? { kind: 'jsonKey', column, keys, comparison, value: parseText(value) }
      : undefined
}

/** Predicate that compares the value under the keys with the given one. */
export async function compileJsonKey(
  { column, keys, comparison, value }: JsonKeyCondition,
  context: FilterContext,
): Promise<Sql> {
  const stored = storedAt({ column, keys }, context)
  if (isNumberComparison(comparison)) {
    const expected = sql`${value}::jsonb`
    return sql`(jsonb_typeof(${stored}) = jsonb_typeof(${expected}) and ${NUMBER_OPERATORS[comparison](stored, expected)})`
  }
  const [compared = value] = await comparedTexts(context, comparison, [value])
  return compareText(comparison, sql`(${stored} #>> '{}')`, compared, 'plain')
}

/** Predicate: the part of the date or time under the keys compares with any of the values. */
export function compileJsonTimestamp(
  { column, keys, ...condition }: JsonTimestampCondition,
  context: FilterContext,
): Sql {
  const text = sql`(${storedAt({ column, keys }, context)} #>> '{}')`
  const timestamp = sql`(case when ${text} ~ ${DAY_AND_TIME} then ${text}::timestamptz
    when ${text} ~ ${TIME_OF_DAY} then ('1970-01-01 ' || ${text})::timestamptz end)`
  return compareTimePart(timestamp, condition)
}

const CLOCK = String.raw`([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?`
const TIME_OF_DAY = `^${CLOCK}$`
const DAY_AND_TIME = String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]${CLOCK}(Z|[+-]\d\d:?\d\d)?)?$`

/** The value under the keys. */
function storedAt({ column, keys }: JsonPlace, { model, alias }: FilterContext): Sql {
  const stored = [...model.columns.values()].find(({ name }) => name === column)
  const cast = stored?.type === 'json' ? sql`::jsonb` : empty
  return sql`(${alias}.${identifier(column)}${cast} #> ${keys}::text[])`
}

/** JSON text of a value in a URL: `500` is a number, `AC` a text. */
function asJson(value: string): string {
  let json = JSON.stringify(value)
  try {
    json = JSON.stringify(parseJson(value))
  } catch {
    // A text without quotes.
  }
  // PostgreSQL's JSON can contain neither.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(json)) throw new RefusedValue('Enter a valid value.')
  return json
}
