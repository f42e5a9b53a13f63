import { type Column, isStored } from '../schema/column.ts'
import type { Json } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import { identifier, join, type Sql, sql } from '../sql/fragment.ts'
import { decodeValue, selectColumn } from '../write/values.ts'

/** Columns that responses do not contain and that cannot be derived from other columns. */
export const hiddenColumns = (model: Model): readonly Column[] =>
  [...model.columns.values()].filter(({ key, field }) => {
    const isComputed = isStored(field) && field.compute !== undefined
    // Names with a leading underscore are derived columns, which an import computes.
    const isDerived = isComputed || key.startsWith('_') || field.kind === 'counter'
    return key !== 'id' && !isDerived && !model.answer.includes(key)
  })

/** Select list over alias `t`: the id, then the columns. */
export const hiddenSelect = (columns: readonly Column[]): Sql =>
  sql`t.id, ${join(columns.map((column) => selectColumn(column, identifier('t', column.name))))}`

/** Values under the names that an import knows; undefined if there are none. */
export function hiddenLine(
  columns: readonly Column[],
  row: readonly unknown[],
): Readonly<Record<string, Json>> | undefined {
  const entries = columns.flatMap((column, index) => {
    const value = decodeValue(column, row[index + 1]) as Json // a column's value is JSON or null
    const name = column.field.kind === 'customFields' ? column.key : column.name
    return isNothing(value) ? [] : [[name, value] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** True for a value that an import would assume anyway. */
const isNothing = (value: Json): boolean =>
  value === null || value === '' || value === false || JSON.stringify(value) === '{}'
