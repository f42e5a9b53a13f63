import type { Column } from '../../schema/column.ts'
import type { Json } from '../../schema/json.ts'
import { isLogged } from '../../write/record/snapshot.ts'

/** Whether change records contain the column's value in a form from which the stored one can be restored. */
export const isInSnapshot = (column: Column): boolean =>
  isLogged(column) && column.field.kind !== 'list' && column.field.kind !== 'objectTypes'

/** The stored value behind one in a change record, which names object types by their ids. */
export const storedFromSnapshot = (
  { field, type }: Column,
  value: Json,
  types: ReadonlyMap<number, string>,
): Json => {
  const isType =
    field.kind === 'objectType' || (field.kind === 'genericForeignKey' && type === 'text')
  return isType ? (types.get(Number(value)) ?? null) : value
}
