import type { Model } from '../../schema/registry.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** Condition that a row `t` of a model meets. If there is none, `'all'` says so. */
export type RowPredicate = Sql

/** The predicate that no row meets. */
export const NO_ROWS: RowPredicate = sql`false`

/**
 * Rows of a model that a user may view. `related`: no permission can name the model; a row is visible to those who may view
 * everything that it refers to. Never throws: of a model of which nothing may be viewed, `NO_ROWS`.
 */
export type VisibleRows = (model: Model) => RowPredicate | 'all' | 'related'

/** Visible rows of a user from whom nothing is hidden. */
export const allVisible: VisibleRows = () => 'all'
