import { type Sql, sql } from '../../sql/fragment.ts'
import { caseAware, type Folding, folded } from './fold.ts'

/** How texts are compared, by the names that permission constraints and dictionaries of attributes use. */
export type TextComparison =
  | 'exact'
  | 'iexact'
  | 'contains'
  | 'icontains'
  | 'startswith'
  | 'istartswith'
  | 'endswith'
  | 'iendswith'
  | 'regex'
  | 'iregex'
/** How numbers and times are compared. */
export type NumberComparison = 'exact' | 'lt' | 'lte' | 'gt' | 'gte'

/**
 * Suffixes of query parameters (`name__ic`). To add one, add it here: the compiler then points at the tables that need it,
 * and lookups.test.ts asks for its case.
 */
export type LookupName =
  | 'exact'
  | 'ie'
  | 'ic'
  | 'isw'
  | 'iew'
  | 'regex'
  | 'iregex'
  | Exclude<NumberComparison, 'exact'>
  | 'n'
  | 'nie'
  | 'nic'
  | 'nisw'
  | 'niew'
  | 'empty'
  | 'any'

/** The comparison that a suffix stands for, and whether matching rows are left out. */
export const LOOKUPS: Readonly<
  Record<
    LookupName,
    { readonly comparison: TextComparison | NumberComparison | 'empty'; readonly negated: boolean }
  >
> = {
  exact: { comparison: 'exact', negated: false },
  n: { comparison: 'exact', negated: true },
  ie: { comparison: 'iexact', negated: false },
  nie: { comparison: 'iexact', negated: true },
  ic: { comparison: 'icontains', negated: false },
  nic: { comparison: 'icontains', negated: true },
  isw: { comparison: 'istartswith', negated: false },
  nisw: { comparison: 'istartswith', negated: true },
  iew: { comparison: 'iendswith', negated: false },
  niew: { comparison: 'iendswith', negated: true },
  regex: { comparison: 'regex', negated: false },
  iregex: { comparison: 'iregex', negated: false },
  lt: { comparison: 'lt', negated: false },
  lte: { comparison: 'lte', negated: false },
  gt: { comparison: 'gt', negated: false },
  gte: { comparison: 'gte', negated: false },
  empty: { comparison: 'empty', negated: false },
  any: { comparison: 'exact', negated: false },
}

interface TextOperator {
  /** The text that is bound for a value: LIKE gets a pattern. */
  readonly bound: (value: string) => string
  /** Predicate over a text column; `bound` is what was made of the value. */
  readonly sql: (column: Sql, bound: Sql, folding: Folding) => Sql
}

const asIs = (value: string): string => value
/** The characters that have a meaning in LIKE patterns stand for themselves. */
const escaped = (value: string): string => value.replace(/[\\%_]/g, '\\$&')
const containing = (value: string): string => `%${escaped(value)}%`
const beginning = (value: string): string => `${escaped(value)}%`
const ending = (value: string): string => `%${escaped(value)}`

const like = (column: Sql, pattern: Sql): Sql => sql`${column} like ${pattern}::text`
const likeAnyCase = (column: Sql, pattern: Sql, folding: Folding): Sql =>
  sql`${folded(column, folding)} like ${folded(sql`${pattern}::text`, folding)}`

/** SQL of the comparisons of texts. */
export const TEXT_OPERATORS: Readonly<Record<TextComparison, TextOperator>> = {
  exact: { bound: asIs, sql: (column, value) => sql`${column} = ${value}` },
  iexact: {
    bound: asIs,
    sql: (column, value, folding) =>
      sql`${folded(column, folding)} = ${folded(sql`${value}::text`, folding)}`,
  },
  contains: { bound: containing, sql: like },
  icontains: { bound: containing, sql: likeAnyCase },
  startswith: { bound: beginning, sql: like },
  istartswith: { bound: beginning, sql: likeAnyCase },
  endswith: { bound: ending, sql: like },
  iendswith: { bound: ending, sql: likeAnyCase },
  regex: { bound: asIs, sql: (column, value) => sql`${column} ~ ${value}` },
  iregex: {
    bound: asIs,
    sql: (column, value, folding) => sql`${caseAware(column, folding)} ~* ${value}`,
  },
}

/** Predicate: the text compares with the value. */
export function compareText(
  comparison: TextComparison,
  text: Sql,
  value: string,
  folding: Folding,
): Sql {
  const { bound, sql: operator } = TEXT_OPERATORS[comparison]
  return operator(text, sql`${bound(value)}`, folding)
}

/** SQL of the comparisons of numbers and times; `value` is a bound value with its cast. */
export const NUMBER_OPERATORS: Readonly<
  Record<NumberComparison, (column: Sql, value: Sql) => Sql>
> = {
  exact: (column, value) => sql`${column} = ${value}`,
  lt: (column, value) => sql`${column} < ${value}`,
  lte: (column, value) => sql`${column} <= ${value}`,
  gt: (column, value) => sql`${column} > ${value}`,
  gte: (column, value) => sql`${column} >= ${value}`,
}

export const isTextComparison = (name: string): name is TextComparison =>
  Object.hasOwn(TEXT_OPERATORS, name)
export const isNumberComparison = (name: string): name is NumberComparison =>
  Object.hasOwn(NUMBER_OPERATORS, name)
/** Whether the value is a regular expression. */
export const isExpression = (comparison: string): comparison is 'regex' | 'iregex' =>
  comparison === 'regex' || comparison === 'iregex'
