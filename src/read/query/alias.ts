import { raw, type Sql, sql } from '../../sql/fragment.ts'

/** Name of the main table's rows in every statement. */
export const T = sql`t`

/** Name for the rows of a subquery within a query whose rows are called `alias`: t, t_, t__, … */
export const innerAlias = (alias: Sql): Sql => raw(`${alias.text}_`)
