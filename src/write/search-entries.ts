import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { addEntries, replaceCustomFieldEntries, replaceEntries } from '../search/keep-entries.ts'
import type { WriteContext } from './context.ts'
import type { DraftRow, StoredRow } from './rows.ts'
import { sameValue } from './values.ts'

/** Rows before and after a write. */
interface Change {
  readonly next: DraftRow | undefined
  readonly previous: StoredRow | undefined
}

/** Adds new rows to the search index. */
export const indexCreated = (
  { service, transaction }: WriteContext,
  model: Model,
  rows: readonly DraftRow[],
): void => addEntries(transaction, service.registry, model, rows)

/** Brings the entries of changed rows in the search index up to date. */
export function indexUpdated(
  { service, transaction }: WriteContext,
  model: Model,
  changes: readonly (Change & { readonly next: DraftRow })[],
): void {
  const isChanged = (key: string): boolean => {
    const column = model.columns.get(key)
    return (
      column !== undefined &&
      changes.some(({ next, previous }) => !sameValue(column, next[key], previous?.[key]))
    )
  }
  const rows = changes.map(({ next }) => next)
  replaceEntries(transaction, service.registry, model, rows, isChanged)
}

/** Brings the values of custom fields in the search index up to date once their definitions have been written. */
export function indexCustomFields(
  { service, transaction }: WriteContext,
  model: Model,
  changes: readonly Change[],
): void {
  if (model.name !== SYSTEM.customField) return
  const rows = changes.flatMap(({ next, previous }) => [
    ...(previous ? [previous] : []),
    ...(next ? [next] : []),
  ])
  replaceCustomFieldEntries(transaction, service.registry, rows)
}
