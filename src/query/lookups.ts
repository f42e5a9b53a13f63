import { type Sql, sql } from '../sql/fragment.ts'
import { caseAware, type Folding, folded } from './fold.ts'

/** Comparisons of texts that a parameter may ask for by a suffix; `exact` has none. */
export type TextComparison = 'exact' | 'ie' | 'ic' | 'isw' | 'iew' | 'regex' | 'iregex'
/** Comparisons of numbers and moments. */
export type NumberComparison = 'exact' | 'lt' | 'lte' | 'gt' | 'gte'

/**
 * Every lookup that a parameter may name. To add one, add it here: the compiler then points at the
 * tables below, and lookups.test.ts asks for its case.
 */
export type LookupName =
  | TextComparison
  | NumberComparison
  | 'n'
  | 'nie'
  | 'nic'
  | 'nisw'
  | 'niew'
  | 'empty'
  | 'any'

/** What a lookup compares by, and whether rows that match are left out. */
export const LOOKUPS: Readonly<
  Record<
    LookupName,
    { readonly comparison: TextComparison | NumberComparison | 'empty'; readonly negated: boolean }
  >
> = {
  exact: { comparison: 'exact', negated: false },
  n: { comparison: 'exact', negated: true },
  ie: { comparison: 'ie', negated: false },
  nie: { comparison: 'ie', negated: true },
  ic: { comparison: 'ic', negated: false },
  nic: { comparison: 'ic', negated: true },
  isw: { comparison: 'isw', negated: false },
  nisw: { comparison: 'isw', negated: true },
  iew: { comparison: 'iew', negated: false },
  niew: { comparison: 'iew', negated: true },
  regex: { comparison: 'regex', negated: false },
  iregex: { comparison: 'iregex', negated: false },
  lt: { comparison: 'lt', negated: false },
  lte: { comparison: 'lte', negated: false },
  gt: { comparison: 'gt', negated: false },
  gte: { comparison: 'gte', negated: false },
  empty: { comparison: 'empty', negated: false },
  any: { comparison: 'exact', negated: false },
}

/** SQL of a text comparison. */
export const COMPARE_TEXT: Readonly<
  Record<TextComparison, (column: Sql, value: string, folding: Folding) => Sql>
> = {
  exact: (column, value) => sql`${column} = ${value}`,
  ie: (column, value, folding) =>
    sql`${folded(column, folding)} = ${folded(sql`${value}::text`, folding)}`,
  ic: (column, value, folding) => like(column, `%${literal(value)}%`, folding),
  isw: (column, value, folding) => like(column, `${literal(value)}%`, folding),
  iew: (column, value, folding) => like(column, `%${literal(value)}`, folding),
  regex: (column, value) => sql`${column} ~ ${value}`,
  iregex: (column, value, folding) => sql`${caseAware(column, folding)} ~* ${value}`,
}

const like = (column: Sql, pattern: string, folding: Folding): Sql =>
  sql`${folded(column, folding)} like ${folded(sql`${pattern}::text`, folding)}`

/** The characters that mean something to LIKE stand for themselves. */
const literal = (value: string): string => value.replace(/[\\%_]/g, '\\$&')

/** SQL of a comparison of numbers and moments; `value` is a bound value with its cast. */
export const COMPARE_NUMBER: Readonly<Record<NumberComparison, (column: Sql, value: Sql) => Sql>> =
  {
    exact: (column, value) => sql`${column} = ${value}`,
    lt: (column, value) => sql`${column} < ${value}`,
    lte: (column, value) => sql`${column} <= ${value}`,
    gt: (column, value) => sql`${column} > ${value}`,
    gte: (column, value) => sql`${column} >= ${value}`,
  }

/** Narrows a comparison that a parameter of text may have. */
export const isTextComparison = (name: string): name is TextComparison => name in COMPARE_TEXT
/** Narrows a comparison that a parameter of numbers may have. */
export const isNumberComparison = (name: string): name is NumberComparison => name in COMPARE_NUMBER
