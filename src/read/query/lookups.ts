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

interface Lookup {
  readonly comparison: TextComparison | NumberComparison | 'empty'
  /** Matching rows are left out. */
  readonly negated?: true
  /** The filters that offer it in addition to their bare name: those of texts, of numbers and of times. */
  readonly of?: 'text' | 'number' | 'text number'
  /** Its words between a field and a value, for use on pages. */
  readonly label: string
}

/** Suffixes of query parameters (`name__ic`), in the order in which filters offer them. To add one, add it here. */
export const LOOKUPS = {
  exact: { comparison: 'exact', label: 'is' },
  n: { comparison: 'exact', negated: true, of: 'text number', label: 'is not' },
  ic: { comparison: 'icontains', of: 'text', label: 'contains' },
  nic: { comparison: 'icontains', negated: true, of: 'text', label: 'does not contain' },
  iew: { comparison: 'iendswith', of: 'text', label: 'ends with' },
  niew: { comparison: 'iendswith', negated: true, of: 'text', label: 'does not end with' },
  isw: { comparison: 'istartswith', of: 'text', label: 'starts with' },
  nisw: { comparison: 'istartswith', negated: true, of: 'text', label: 'does not start with' },
  ie: { comparison: 'iexact', of: 'text', label: 'is (any case)' },
  nie: { comparison: 'iexact', negated: true, of: 'text', label: 'is not (any case)' },
  lte: { comparison: 'lte', of: 'number', label: 'at most' },
  lt: { comparison: 'lt', of: 'number', label: 'less than' },
  gte: { comparison: 'gte', of: 'number', label: 'at least' },
  gt: { comparison: 'gt', of: 'number', label: 'more than' },
  empty: { comparison: 'empty', of: 'text number', label: 'is empty' },
  regex: { comparison: 'regex', of: 'text', label: 'matches' },
  iregex: { comparison: 'iregex', of: 'text', label: 'matches (any case)' },
  // Of tags only.
  any: { comparison: 'exact', label: 'any of' },
} as const satisfies Readonly<Record<string, Lookup>>

export type LookupName = keyof typeof LOOKUPS

/** Meaning of a suffix. */
export const lookupOf = (name: LookupName): Lookup => LOOKUPS[name]

/** The lookups that filters of texts, or of numbers and times, offer. */
export const lookupsOf = (family: 'text' | 'number'): readonly LookupName[] =>
  // The table has no other keys.
  (Object.keys(LOOKUPS) as LookupName[]).filter((name) => lookupOf(name).of?.includes(family))

interface TextOperator {
  /** The text bound for a value; LIKE gets a pattern. */
  readonly bound: (value: string) => string
  /** Predicate over a text column; `bound` is the converted value. */
  readonly sql: (column: Sql, bound: Sql, folding: Folding) => Sql
}

const asIs = (value: string): string => value
/** Escapes the special characters of LIKE patterns. */
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
    sql: (column, value, folding) => sql`${folded(column, folding)} = ${folded(sql`${value}::text`, folding)}`,
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
export function compareText(comparison: TextComparison, text: Sql, value: string, folding: Folding): Sql {
  const { bound, sql: operator } = TEXT_OPERATORS[comparison]
  return operator(text, sql`${bound(value)}`, folding)
}

/** SQL of the comparisons of numbers and times; `value` is a bound value with its cast. */
export const NUMBER_OPERATORS: Readonly<Record<NumberComparison, (column: Sql, value: Sql) => Sql>> = {
  exact: (column, value) => sql`${column} = ${value}`,
  lt: (column, value) => sql`${column} < ${value}`,
  lte: (column, value) => sql`${column} <= ${value}`,
  gt: (column, value) => sql`${column} > ${value}`,
  gte: (column, value) => sql`${column} >= ${value}`,
}

export const isTextComparison = (name: string): name is TextComparison => Object.hasOwn(TEXT_OPERATORS, name)
export const isNumberComparison = (name: string): name is NumberComparison => Object.hasOwn(NUMBER_OPERATORS, name)
/** Whether the value is a regular expression. */
export const isExpression = (comparison: string): comparison is 'regex' | 'iregex' =>
  comparison === 'regex' || comparison === 'iregex'
