import { isOftenEmpty } from '../../schema/column.ts'
import type { ChoiceFilter, HardwareAddressFilter, TextFilter } from '../../schema/filter.ts'
import type { Model } from '../../schema/registry.ts'
import { resolvePath, splitPath } from '../../schema/step.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { anyOf, type Condition, type Filter, NO_MATCH, notIf } from './filter.ts'
import { comparedTexts, either, type FilterContext } from './filter-context.ts'
import type { Folding } from './fold.ts'
import { compareText, isTextComparison, lookupOf, type TextComparison } from './lookups.ts'
import { takesAnyValue } from './parameters.ts'
import { parseHardwareAddress } from './parse-hardware-address.ts'
import { parseBoolean, parseInteger, parseText } from './parse-value.ts'
import { type PathEnd, reaches } from './reach.ts'
import { notAChoice } from './refused-value.ts'
import { lastParameterValue, NULL_TOKEN, parameterValues, type RequestParameter } from './request-parameter.ts'

/** Text: any of the values, by the lookup's comparison. */
export function parseTextFilter(filter: TextFilter, parameter: RequestParameter): Filter | undefined {
  const { comparison, negated } = lookupOf(parameter.lookup)
  if (comparison === 'empty') return parseEmpty('text', filter.path, parameter)
  const effective = parameter.lookup === 'exact' ? lookupOf(filter.default ?? 'exact').comparison : comparison
  if (!isTextComparison(effective)) throw new Error(`Text has no lookup ${parameter.lookup}`)
  return textsFilter(filter.path, parameter, effective, negated, parameterValues(parameter).map(parseText))
}

/**
 * Choices: each value must be one of the set, even if only a part of the text is compared. If only a single value is
 * allowed, the lookups of texts accept any text or number, as in NetBox.
 */
export function parseChoiceFilter(filter: ChoiceFilter, parameter: RequestParameter): Filter | undefined {
  const { comparison, negated } = lookupOf(parameter.lookup)
  if (comparison === 'empty') return parseEmpty('text', filter.path, parameter)
  if (!isTextComparison(comparison)) throw new Error(`A choice has no lookup ${parameter.lookup}`)
  const values = parameterValues(parameter)
  if (takesAnyValue(filter, parameter.lookup)) {
    const isNumber = typeof filter.choices.list[0]?.value === 'number'
    const texts = values.map(isNumber ? (value) => String(parseInteger(value)) : parseText)
    return textsFilter(filter.path, parameter, comparison, negated, texts)
  }
  const choices = new Set(filter.choices.list.map(({ value }) => String(value)))
  for (const value of values) {
    const isToken = value === NULL_TOKEN && mayBeNull(parameter.model, filter.path)
    if (!isToken && !choices.has(value)) throw notAChoice(value)
  }
  // The word for "no value" has this meaning wherever it was accepted.
  return textsFilter(filter.path, { ...parameter, multiple: true }, comparison, negated, values)
}

/** The word for "no value" counts as a choice only if the field may be empty. */
const mayBeNull = (model: Model, path: string): boolean =>
  splitPath(path).length > 1 || model.columns.get(path)?.nullable !== false

/** A hardware address in any spelling. A value that is not a text matches no rows, even if it is negated. */
export function parseHardwareAddressFilter(
  { path }: HardwareAddressFilter,
  parameter: RequestParameter,
): Filter | undefined {
  const { comparison, negated } = lookupOf(parameter.lookup)
  if (!isTextComparison(comparison)) throw new Error(`An address has no lookup ${parameter.lookup}`)
  const values = parameterValues(parameter).map(parseText)
  if (comparison !== 'exact') return textsFilter(path, parameter, comparison, negated, values)
  if (values.length === 0) return undefined
  const bytes = addressBytes(parameter.model, path)
  const texts = values.filter((value) => value !== NULL_TOKEN)
  const addresses = texts.flatMap((text) => parseHardwareAddress(text, bytes) ?? [])
  if (addresses.length < texts.length) return NO_MATCH
  const matches: Filter = { kind: 'hardwareAddress', path, values: addresses }
  const lacking: Filter[] = texts.length < values.length ? [{ kind: 'lacking', path }] : []
  return notIf(negated, anyOf([matches, ...lacking]))
}

function addressBytes(model: Model, path: string): 6 | 8 {
  const end = resolvePath(model, path).at(-1)
  return end?.kind === 'column' && end.column.type === 'macaddr8' ? 8 : 6
}

function textsFilter(
  path: string,
  { multiple }: RequestParameter,
  comparison: TextComparison,
  negated: boolean | undefined,
  values: readonly string[],
): Filter | undefined {
  if (values.length === 0) return undefined
  const hasToken = multiple && (comparison === 'exact' || comparison === 'iexact')
  const texts = hasToken ? values.filter((value) => value !== NULL_TOKEN) : values
  const filters: Filter[] = []
  if (texts.length < values.length) filters.push({ kind: 'lacking', path })
  if (texts.length > 0) filters.push({ kind: 'text', path, comparison, values: texts })
  return notIf(negated, anyOf(filters))
}

/** `true`: the value is missing or empty. */
export function parseEmpty(
  of: 'text' | 'list' | 'number',
  path: string,
  parameter: RequestParameter,
): Filter | undefined {
  const isEmpty = parseBoolean(lastParameterValue(parameter))
  if (isEmpty === undefined) return undefined
  return notIf(isEmpty, of === 'number' ? { kind: 'present', path } : { kind: 'filled', path, of })
}

/** Predicate: the text at the end of the path compares with any of the values. */
export async function compileText(
  { path, comparison, values }: Extract<Condition, { readonly kind: 'text' }>,
  context: FilterContext,
): Promise<Sql> {
  const compared = await comparedTexts(context, comparison, values)
  return reaches(context.model, context.alias, path, (column, end) => {
    const text = textOf(column, end)
    return either(compared.map((value) => compareEnd(comparison, text, value)))
  })
}

/** Predicate: the text at the end of a path compares with the value. */
export function compareEnd(comparison: TextComparison, compared: ComparedText, value: string): Sql {
  const holds = compareText(comparison, compared.text, value, compared.folding)
  return value !== '' && PARTS.has(comparison) ? whereFilled(compared, holds) : holds
}

/** Comparisons that use an index of the parts of texts. */
const PARTS: ReadonlySet<TextComparison> = new Set(['icontains', 'istartswith', 'iendswith', 'iexact'])

/**
 * The predicate is false for empty texts. If many texts are empty, the condition says so explicitly: PostgreSQL checks
 * this faster than it folds the texts, and a trigram index has no entries for empty texts (db/migrate/indexes.ts).
 */
export const whereFilled = ({ text, isOftenEmpty }: ComparedText, holds: Sql): Sql =>
  isOftenEmpty ? sql`(${text} <> '' and ${holds})` : holds

/** Predicate: the hardware address at the end of the path is one of the values. */
export const compileHardwareAddress = (
  { path, values }: Extract<Condition, { readonly kind: 'hardwareAddress' }>,
  { model, alias }: FilterContext,
): Sql => {
  const cast = addressBytes(model, path) === 8 ? sql`::macaddr8[]` : sql`::macaddr[]`
  return reaches(model, alias, path, (column) => sql`${column} = any(${values}${cast})`)
}

/** Predicate: the text or list at the end of the path is not empty. */
export const compileFilled = (
  { path, of }: Extract<Condition, { readonly kind: 'filled' }>,
  { model, alias }: FilterContext,
): Sql =>
  reaches(model, alias, path, (column, end) =>
    of === 'list' ? sql`cardinality(${column}) > 0` : sql`${textOf(column, end).text} <> ''`,
  )

/** A text that is compared with values. */
interface ComparedText {
  readonly text: Sql
  readonly folding: Folding
  /** See schema/column.ts. Undefined if it is not a column. */
  readonly isOftenEmpty?: boolean
}

/** A column's value as text, and how it compares without regard to case. */
export function textOf(column: Sql, end: PathEnd): ComparedText {
  const isText = end.kind === 'column' && end.column.type === 'text'
  const isNatural = end.kind === 'column' && end.column.collation === 'natural'
  return {
    text: isText ? column : sql`${column}::text`,
    folding: isNatural ? 'natural' : 'plain',
    isOftenEmpty: end.kind === 'column' && isOftenEmpty(end.column),
  }
}
