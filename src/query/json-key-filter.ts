import type { Model } from '../schema/registry.ts'
import { identifier, type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { T } from './alias.ts'
import { checkExpression } from './expression.ts'
import {
  COMPARE_NUMBER,
  COMPARE_TEXT,
  type NumberComparison,
  type TextComparison,
} from './lookups.ts'
import { parseText } from './parse-value.ts'
import { RefusedValue } from './refused-value.ts'

/** Last parts of a name that compare otherwise than by equality, in the words of Django's lookups. */
const COMPARISONS: Readonly<Record<string, NumberComparison | TextComparison>> = {
  lt: 'lt',
  lte: 'lte',
  gt: 'gt',
  gte: 'gte',
  iexact: 'ie',
  icontains: 'ic',
  istartswith: 'isw',
  iendswith: 'iew',
  regex: 'regex',
  iregex: 'iregex',
}

/**
 * Predicate over `t` of a parameter that asks for a key of a JSON field (`attr_wattage__gte=500`), as the
 * model's `keyFilter` says; undefined where the name is no such parameter. Parts of the name between `__`
 * lead into nested objects; the last may name a comparison. The value is read as JSON, or else as text,
 * and compares with values of its own type only. Throws RefusedValue for what can't be compared with.
 */
export async function filterJsonKey(
  database: Queryable,
  { definition: { keyFilter }, columns }: Model,
  name: string,
  value: string,
): Promise<Sql | undefined> {
  if (!keyFilter || !name.startsWith(keyFilter.prefix)) return undefined
  const column = columns.get(keyFilter.field)?.name ?? keyFilter.field
  const parts = name.slice(keyFilter.prefix.length).split('__')
  const comparison = parts.length > 1 ? COMPARISONS[parts.at(-1) ?? ''] : undefined
  const path = comparison ? parts.slice(0, -1) : parts
  const found = sql`(${T}.${identifier(column)} #> ${path}::text[])`
  if (comparison && comparison in COMPARE_TEXT) {
    return await compareText(database, found, comparison as TextComparison, value)
  }
  const wanted = sql`${asJson(value)}::jsonb`
  const compare = COMPARE_NUMBER[(comparison ?? 'exact') as NumberComparison]
  return sql`(jsonb_typeof(${found}) = jsonb_typeof(${wanted}) and ${compare(found, wanted)})`
}

async function compareText(
  database: Queryable,
  found: Sql,
  comparison: TextComparison,
  value: string,
): Promise<Sql> {
  const isExpression = comparison === 'regex' || comparison === 'iregex'
  const text = parseText(value)
  const wanted = isExpression ? await checkExpression(database, text) : text
  return COMPARE_TEXT[comparison](sql`(${found} #>> '{}')`, wanted, 'plain')
}

/** JSON text of a value as given in an address: `500` is a number, `AC` a text. */
function asJson(value: string): string {
  let json = JSON.stringify(value)
  try {
    json = JSON.stringify(JSON.parse(value))
  } catch {
    // A text without quotes.
  }
  // PostgreSQL's JSON can hold neither.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(json))
    throw new RefusedValue('Enter a valid value.')
  return json
}
