import { derived, type ForeignKeyField, foreignKey } from './field.ts'
import type { Unique } from './model.ts'

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
 * `beside`: fields that are also part of each constraint.
 */
export const uniqueWithin = (
  parent: string,
  fields: readonly string[],
  beside: readonly string[] = [],
): readonly Unique[] =>
  fields.flatMap((field) => [
    { fields: [...beside, parent, field] },
    { fields: [...beside, field], whereNull: [parent] },
  ])
