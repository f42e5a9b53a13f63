import { sql } from '../sql/fragment.ts'
import type { SearchTerm } from './model.ts'

/** Pattern for `like` that matches the text literally. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** The column equals the value if that is a whole number; other values match nothing. */
export const equalsInteger =
  (path: string): SearchTerm =>
  (column, value) =>
    /^\s*[+-]?\d{1,18}\s*$/.test(value) ? sql`${column(path)} = ${value.trim()}::bigint` : sql`false`

/** The column equals the value, case-sensitively. */
export const equalsText =
  (path: string): SearchTerm =>
  (column, value) =>
    sql`${column(path)} = ${value}`

/** The column's text form contains the value; for columns that are not text. */
export const textContains =
  (path: string): SearchTerm =>
  (column, value) =>
    sql`${column(path)}::text ilike ${`%${literal(value)}%`}`

/** The column's text form begins with the value; for columns that are not text. */
export const textStartsWith =
  (path: string): SearchTerm =>
  (column, value) =>
    sql`${column(path)}::text ilike ${`${literal(value)}%`}`
