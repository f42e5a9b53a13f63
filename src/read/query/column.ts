import type { ColumnOf } from '../../schema/path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Sql } from '../../sql/fragment.ts'
import { displayOf } from './display.ts'
import { scalarPath } from './scalar-path.ts'

/** SQL of single values seen from the row `alias`, as declarations request them. */
export const columnOf =
  (model: Model, alias: Sql): ColumnOf =>
  (path) =>
    scalarPath(model, alias, path, displayOf)
