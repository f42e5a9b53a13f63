import { identifier, type Sql, sql } from '../sql/fragment.ts'
import { derived, type ForeignKeyField, foreignKey } from './field.ts'
import type { Tree, Unique } from './model.ts'

/** Reference of a node to its parent, a node of the same model `of`; deleting the parent deletes the node. */
export const parentNode = (
  of: string,
  options: Partial<Pick<ForeignKeyField, 'related' | 'projection' | 'resetOnPut'>> = {},
) =>
  foreignKey(of, {
    onDelete: 'cascade',
    related: 'children',
    nullable: true,
    resetOnPut: true,
    ...options,
  })

/** The number of nodes above a node. */
export const treeDepth = derived('integer', (column) => column('_level'))

/**
 * Constraints that make each of the fields unique among the rows with the same `parent`, and among rows without one.
 * `scope`: fields that are also part of each constraint.
 */
export const uniqueWithin = (
  parent: string,
  fields: readonly string[],
  scope: readonly string[] = [],
): readonly Unique[] =>
  fields.flatMap((field) => [{ fields: [...scope, parent, field] }, { fields: [...scope, field], whereNull: [parent] }])

/** The id of a node `t` as text that sorts like a number. */
const ID_TEXT = sql`lpad(t.id::text, 19, '0')`

/**
 * The part of a node `t` in the sort key of its tree: the field that orders siblings and, for equal names, the id.
 */
export function sortKey({ orderBy, duplicatesTogether }: Tree): Sql {
  if (orderBy === 'id') return sql`array[${ID_TEXT}]`
  const name = sql`t.${identifier(orderBy)}::text`
  return duplicatesTogether ? sql`array[${name}]` : sql`array[${name}, ${ID_TEXT}]`
}
