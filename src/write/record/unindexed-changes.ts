import { noteUnindexed, noteUnindexedCustomFields, noteUnindexedUpdate } from '../../read/search/unindexed-changes.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { WriteContext } from '../context.ts'
import type { DraftRow, StoredRow } from '../rows.ts'

/** Rows before and after a write. A dry run records nothing, because no part of it reads the search index. */
interface Change {
  readonly next: DraftRow | undefined
  readonly previous: StoredRow | undefined
}

/** Records created or deleted objects for the search index. */
export function noteForSearch(
  { service, transaction, wouldChange }: WriteContext,
  model: Model,
  ids: readonly number[],
): void {
  if (!wouldChange) noteUnindexed(transaction, service.registry, model, ids)
}

/** Records changed objects for the search index. `changed`: keys of the columns that have changed in any row. */
export function noteUpdateForSearch(
  { service, transaction, wouldChange }: WriteContext,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
): void {
  if (!wouldChange) noteUnindexedUpdate(transaction, service.registry, model, ids, changed)
}

/** Records for the search index that custom field definitions were written. */
export function noteCustomFieldsForSearch(
  { service, transaction, wouldChange }: WriteContext,
  model: Model,
  changes: readonly Change[],
): void {
  if (wouldChange || model.name !== SYSTEM.customField) return
  const rows = changes.flatMap(({ next, previous }) => [...(previous ? [previous] : []), ...(next ? [next] : [])])
  noteUnindexedCustomFields(transaction, service.registry, rows)
}
