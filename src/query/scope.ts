import type { Model } from '../schema/registry.ts'
import type { Sql } from '../sql/fragment.ts'

/** Rows that an actor may see: all, or those for which the predicate over alias `t` holds. */
export type RowScope = 'all' | Sql

/** The rows of a model that the actor may see. May throw `forbidden`: then none. */
export type Access = (model: Model) => RowScope
