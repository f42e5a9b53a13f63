import type { Model } from '../../schema/registry.ts'
import { empty, type Sql, sql } from '../../sql/fragment.ts'

/** Condition that a row `t` of a model meets. `'all'` if there is no condition. */
export type RowPredicate = Sql

/** The predicate that no row meets. */
export const NO_ROWS: RowPredicate = sql`false`

/** Restricts the condition before it to these rows. */
export const andIn = (rows: RowPredicate | 'all'): Sql => (rows === 'all' ? empty : sql` and (${rows})`)

/**
 * Rows of a model that a user may view. `related`: no permission can name the model; a row is visible to users who may
 * view everything that it refers to. Never throws: if nothing of the model may be viewed, the result is `NO_ROWS`.
 */
export type VisibleRows = (model: Model) => RowPredicate | 'all' | 'related'

/** Visible rows of a user who may see everything. */
export const allVisible: VisibleRows = () => 'all'
