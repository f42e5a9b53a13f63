import type { Sql } from '../sql/fragment.ts'

/**
 * SQL of a column, starting at the current row. A dotted path follows foreign keys (`device_type.manufacturer.name`)
 * through scalar subqueries; `display` as the last step is the related object's display text, also over a generic
 * relation (`assigned_object.display`).
 */
export type ColumnOf = (path: string) => Sql
