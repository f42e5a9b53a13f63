import type { Model } from '../schema/registry.ts'
import { type Sql, sql } from '../sql/fragment.ts'

/** Rows that an actor may see: all, or those for which the predicate over alias `t` holds. */
export type RowScope = 'all' | Sql

/**
 * Which rows of a model somebody may see. `related`: there is no permission for it; a row is seen by
 * those who see everything that it refers to.
 */
export type Visibility = RowScope | 'related'

/** What somebody may see of each model. Never throws: of what may not be seen at all, `NOTHING`. */
export type Access = (model: Model) => Visibility

/** Somebody from whom nothing is hidden. */
export const EVERYTHING: Access = () => 'all'

/** No row. */
export const NOTHING: Sql = sql`false`
