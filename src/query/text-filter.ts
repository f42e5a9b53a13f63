import type { ChoiceFilter, HardwareAddressFilter, TextFilter } from '../schema/filter.ts'
import { splitPath } from '../schema/step.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { checkExpression } from './expression.ts'
import { anyOf, type FilterCall, givenValues, NULL_TOKEN, negate } from './filter-call.ts'
import type { Folding } from './fold.ts'
import { COMPARE_TEXT, isTextComparison, LOOKUPS, type TextComparison } from './lookups.ts'
import { takesAnyValue } from './parameters.ts'
import { parseHardwareAddress } from './parse-hardware-address.ts'
import { parseBoolean, parseInteger, parseText } from './parse-value.ts'
import { lacks, type PathEnd, reaches } from './reach.ts'
import { notAChoice } from './refused-value.ts'

/** Text: any of the values, by the lookup's comparison. */
export async function filterText(filter: TextFilter, call: FilterCall): Promise<Sql | undefined> {
  const { comparison, negated } = LOOKUPS[call.lookup]
  if (comparison === 'empty') return filterEmptyText(filter.path, call)
  const asked = call.lookup === 'exact' ? (filter.default ?? 'exact') : comparison
  if (!isTextComparison(asked)) throw new Error(`Text has no lookup ${call.lookup}`)
  return compareTexts(filter.path, call, asked, negated, givenValues(call).map(parseText))
}

/**
 * Choices: each value must be one of the set, also where only a part of the text is compared; but
 * where a single value is meant, the lookups of texts take any text or number, as in the reference.
 */
export async function filterChoice(
  filter: ChoiceFilter,
  call: FilterCall,
): Promise<Sql | undefined> {
  const { comparison, negated } = LOOKUPS[call.lookup]
  if (comparison === 'empty') return filterEmptyText(filter.path, call)
  if (!isTextComparison(comparison)) throw new Error(`A choice has no lookup ${call.lookup}`)
  const values = givenValues(call)
  if (takesAnyValue(filter, call.lookup)) {
    const isNumber = typeof filter.choices.list[0]?.value === 'number'
    const texts = values.map(isNumber ? (value) => String(parseInteger(value)) : parseText)
    return compareTexts(filter.path, call, comparison, negated, texts)
  }
  const known = new Set(filter.choices.list.map(({ value }) => String(value)))
  for (const value of values) {
    const isToken = value === NULL_TOKEN && mayBeNull(filter.path, call)
    if (!isToken && !known.has(value)) throw notAChoice(value)
  }
  return compareTexts(filter.path, call, comparison, negated, values)
}

/** Only where there may be no value does the word for it count as a choice. */
const mayBeNull = (path: string, { model }: FilterCall): boolean =>
  splitPath(path).length > 1 || model.columns.get(path)?.nullable !== false

/** A hardware address in any spelling; one that is none leaves no rows, even where it is negated. */
export async function filterHardwareAddress(
  filter: HardwareAddressFilter,
  call: FilterCall,
): Promise<Sql | undefined> {
  const { comparison, negated } = LOOKUPS[call.lookup]
  if (!isTextComparison(comparison)) throw new Error(`An address has no lookup ${call.lookup}`)
  const values = givenValues(call).map(parseText)
  if (comparison !== 'exact') return compareTexts(filter.path, call, comparison, negated, values)
  if (values.length === 0) return undefined
  const addresses = values.filter((value) => value !== NULL_TOKEN)
  const tokens =
    addresses.length < values.length ? [lacks(call.model, call.alias, filter.path)] : []
  let isUnusable = false
  const matches = reaches(call.model, call.alias, filter.path, (column, end) => {
    const bytes = end.kind === 'column' && end.column.type === 'macaddr8' ? 8 : 6
    const parsed = addresses.map((address) => parseHardwareAddress(address, bytes))
    isUnusable = parsed.includes(undefined)
    return sql`${column} = any(${parsed}${bytes === 8 ? sql`::macaddr8[]` : sql`::macaddr[]`})`
  })
  if (isUnusable) return sql`false`
  const positive = anyOf([matches, ...tokens])
  return negated ? negate(positive) : positive
}

async function compareTexts(
  path: string,
  call: FilterCall,
  comparison: TextComparison,
  negated: boolean,
  values: readonly string[],
): Promise<Sql | undefined> {
  if (values.length === 0) return undefined
  const hasToken = comparison === 'exact' || comparison === 'ie'
  const isToken = (value: string) => hasToken && call.multiple && value === NULL_TOKEN
  const plain = values.filter((value) => !isToken(value))
  const expressions =
    comparison === 'regex' || comparison === 'iregex'
      ? await Promise.all(plain.map((value) => checkExpression(call.database, value)))
      : plain
  const compare = COMPARE_TEXT[comparison]
  const predicates = values.some(isToken) ? [lacks(call.model, call.alias, path)] : []
  if (expressions.length > 0) {
    predicates.push(
      reaches(call.model, call.alias, path, (column, end) => {
        const { text, folding } = textOf(column, end)
        return anyOf(expressions.map((value) => compare(text, value, folding)))
      }),
    )
  }
  const positive = anyOf(predicates)
  return negated ? negate(positive) : positive
}

/** `true`: there is no text, or an empty one. */
function filterEmptyText(path: string, call: FilterCall): Sql | undefined {
  const wanted = parseBoolean(call.values.at(-1) ?? '')
  if (wanted === undefined) return undefined
  const filled = reaches(
    call.model,
    call.alias,
    path,
    (column, end) => sql`${textOf(column, end).text} <> ''`,
  )
  return wanted ? negate(filled) : filled
}

/** A column's value as text, and how it compares without regard to case. */
export function textOf(
  column: Sql,
  end: PathEnd,
): { readonly text: Sql; readonly folding: Folding } {
  const isText = end.kind === 'column' && end.column.type === 'text'
  const isNatural = end.kind === 'column' && end.column.collation === 'natural'
  return { text: isText ? column : sql`${column}::text`, folding: isNatural ? 'natural' : 'plain' }
}
