import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import {
  addEntries,
  removeEntries,
  replaceCustomFieldEntries,
  replaceEntries,
} from '../search/keep-entries.ts'
import type { WriteContext } from './context.ts'
import type { DraftRow, StoredRow } from './rows.ts'

/** Rows before and after a write. A dry run leaves the index as it is: nothing of the run reads it. */
interface Change {
  readonly next: DraftRow | undefined
  readonly previous: StoredRow | undefined
}

/** Adds new rows to the search index. */
export function indexCreated(
  { service, transaction, wouldChange }: WriteContext,
  model: Model,
  rows: readonly DraftRow[],
): void {
  if (!wouldChange) addEntries(transaction, service.registry, model, rows)
}

/** Removes deleted rows from the search index. */
export function indexDeleted(
  { service, transaction, wouldChange }: WriteContext,
  model: Model,
  ids: readonly number[],
): void {
  if (!wouldChange) removeEntries(transaction, service.registry, model, ids)
}

/** Brings the entries of changed rows in the search index up to date. `changed`: keys of the columns in which any has changed. */
export function indexUpdated(
  { service, transaction, wouldChange }: WriteContext,
  model: Model,
  rows: readonly DraftRow[],
  changed: ReadonlySet<string>,
): void {
  if (!wouldChange) replaceEntries(transaction, service.registry, model, rows, changed)
}

/** Brings the values of custom fields in the search index up to date once their definitions have been written. */
export function indexCustomFields(
  { service, transaction, wouldChange }: WriteContext,
  model: Model,
  changes: readonly Change[],
): void {
  if (wouldChange || model.name !== SYSTEM.customField) return
  const rows = changes.flatMap(({ next, previous }) => [
    ...(previous ? [previous] : []),
    ...(next ? [next] : []),
  ])
  replaceCustomFieldEntries(transaction, service.registry, rows)
}
