import { columnsOf } from '../schema/column.ts'
import type { Field } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { DraftRow, StoredRow } from './rows.ts'
import { sameValue } from './values.ts'

/** A row with the stored one before. */
export interface ChangedRow {
  readonly next: DraftRow
  readonly previous: StoredRow | undefined
}

/** Whether saving the row would change nothing but its timestamps. */
export const isSameRow = (model: Model, { next, previous }: ChangedRow): boolean =>
  [...model.columns.values()].every(
    (column) =>
      isAutomatic(column.field) || sameValue(column, next[column.key], previous?.[column.key]),
  ) &&
  [...model.fields].every(
    ([name, field]) => !isList(field) || sameIds(next[name], previous?.[name]),
  )

const isAutomatic = (field: Field): boolean =>
  (field.kind === 'dateTime' && field.auto !== undefined) || field.kind === 'counter'

const isList = ({ kind }: Field): boolean => kind === 'manyToMany' || kind === 'tags'

/** Names of the shown fields in which the rows differ, without those that a save always sets, such as `last_updated`. */
export const namesOfChangedFields = (
  model: Model,
  { next, previous }: ChangedRow,
): readonly string[] =>
  [...model.fields].flatMap(([name, field]) => {
    if (('hidden' in field && field.hidden) || isAutomatic(field)) return []
    if (isList(field)) {
      return sameIds(next[name], previous?.[name]) ? [] : [name]
    }
    const isSame = columnsOf(name, field).every((column) =>
      sameValue(column, next[column.key], previous?.[column.key]),
    )
    return isSame ? [] : [name]
  })

const sameIds = (one: unknown, other: unknown): boolean => {
  const [first, second] = [asSet(one), asSet(other)]
  return first.size === second.size && [...first].every((id) => second.has(id))
}

const asSet = (ids: unknown): ReadonlySet<unknown> => new Set(Array.isArray(ids) ? ids : [])
