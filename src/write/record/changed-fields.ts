import { isDeepStrictEqual } from 'node:util'
import { type Column, columnsOf } from '../../schema/column.ts'
import type { Field } from '../../schema/field.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { isList } from '../empty-row.ts'
import type { DraftRow, StoredRow } from '../rows.ts'
import { sameValue } from '../values.ts'

/** A row with its stored version. */
export interface ChangedRow {
  readonly next: DraftRow
  readonly previous: StoredRow | undefined
}

/** Whether saving the row would change nothing visible except its timestamps. */
export const isSameRow = (model: Model, row: ChangedRow): boolean =>
  [...model.columns.values()].every((column) => isAutomatic(column.field) || isSame(column, row)) &&
  [...model.fields].every(([name, field]) => !isList(field) || sameIds(row.next[name], row.previous?.[name]))

function isSame(column: Column, { next, previous }: ChangedRow): boolean {
  const [value, before] = [next[column.key], previous?.[column.key]]
  return sameValue(column, value, before) || isShownAlike(column.field, value, before)
}

/** Whether different values of a field are the same for users. */
function isShownAlike(field: Field, value: unknown, before: unknown): boolean {
  switch (field.kind) {
    case 'customFields':
      return hasShownValues(value, before)
    case 'objectTypes':
      return sameIds(value, before) // the order has no meaning
    case 'choice':
      return (value ?? '') === (before ?? '') // responses show null for both
    default:
      return false
  }
}

/**
 * Whether rows with these values of custom fields look the same: a missing name is shown as null, and names without a
 * field are not shown.
 */
const hasShownValues = (values: unknown, before: unknown): boolean =>
  isJsonObject(values) &&
  isJsonObject(before) &&
  Object.entries(values).every(([name, value]) => isDeepStrictEqual(value, before[name] ?? null))

const isAutomatic = (field: Field): boolean =>
  (field.kind === 'dateTime' && field.auto !== undefined) || field.kind === 'counter'

/** Names of the visible fields in which the rows differ, without those that every save sets, such as `last_updated`. */
export const namesOfChangedFields = (model: Model, { next, previous }: ChangedRow): readonly string[] =>
  [...model.fields].flatMap(([name, field]) => {
    if (('hidden' in field && field.hidden) || isAutomatic(field)) return []
    if (isList(field)) {
      return sameIds(next[name], previous?.[name]) ? [] : [name]
    }
    const columns = columnsOf(name, field)
    return columns.every((column) => isSame(column, { next, previous })) ? [] : [name]
  })

/** Whether two lists contain the same ids. */
export function sameIds(left: unknown, right: unknown): boolean {
  if (left === right) return true
  const [first, second] = [asSet(left), asSet(right)]
  return first.size === second.size && [...first].every((id) => second.has(id))
}

const asSet = (ids: unknown): ReadonlySet<unknown> => new Set(Array.isArray(ids) ? ids : [])
