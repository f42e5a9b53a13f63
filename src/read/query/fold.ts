import { type Sql, sql } from '../../sql/fragment.ts'

/**
 * How a text column compares case-insensitively: with the letters of its natural order, or code point by code point.
 */
export type Folding = 'natural' | 'plain'

/**
 * Upper-case expansion of a text: in natural columns ß is SS and ﬁ is FI, elsewhere each character
 * has at most one counterpart. Both sides of a comparison are folded.
 */
export const folded = (text: Sql, folding: Folding): Sql =>
  folding === 'natural' ? sql`upper(${text} collate "und-x-icu")` : sql`upper(${text} collate case_fold)`

/** Text for regular expressions that ignore case. */
export const caseAware = (text: Sql, folding: Folding): Sql =>
  folding === 'natural' ? text : sql`(${text} collate case_fold)`
