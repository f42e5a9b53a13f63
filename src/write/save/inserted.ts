import { T } from '../../read/query/alias.ts'
import { displayOf } from '../../read/query/display.ts'
import type { InsertedObjects } from '../../read/serialise/read-source.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { ReturnedRows } from '../changes.ts'
import type { WriteContext } from '../context.ts'
import { sameIds } from '../record/changed-fields.ts'
import { RECORDS } from '../record/uncommitted-version.ts'
import type { DraftRow, StoredRow } from '../rows.ts'
import { countsItself } from './counters.ts'
import { listsOf } from './empty-row.ts'

/**
 * Whether inserted rows of the model are complete for a change record, so that they need not be read again. They are
 * incomplete if related parts are saved afterwards.
 */
export const areWholeWhenInserted = (model: Model, rows: readonly DraftRow[]): boolean =>
  isWholeWithoutLists(model) && listsOf(model).every((name) => rows.every((row) => isEmpty(row[name])))

/** As `areWholeWhenInserted`, for rows that are updated, whose lists have not changed. */
export const areWholeWhenUpdated = (
  model: Model,
  changes: readonly { readonly next: DraftRow; readonly previous: StoredRow | undefined }[],
): boolean =>
  isWholeWithoutLists(model) &&
  changes.every(({ next, previous }) =>
    listsOf(model).every((name) => previous !== undefined && sameIds(next[name], previous[name])),
  )

const isWholeWithoutLists = oncePer(
  (model: Model) =>
    model.has('changeLogging') &&
    !model.definition.tree &&
    !countsItself(model) &&
    (model.behaviour?.beforeChangeRecord ?? []).length === 0 &&
    ![...model.fields.values()].some((field) => field.kind === 'computed' && field.recorded !== undefined) &&
    // The inserting statement cannot read the new rows from their table.
    !displayOf(model, T).reads.includes(model.name),
)

const isEmpty = (ids: unknown): boolean => !Array.isArray(ids) || ids.length === 0

/** Inserted and updated objects of a write for its response, valid as long as the write only records them. */
export function insertedObjects({ transaction, inserted, updated, shows }: WriteContext): InsertedObjects {
  const rowsOf = (
    returned: ReadonlyMap<string, ReturnedRows>,
    model: string,
    ids: readonly number[],
  ): ReturnedRows | undefined => {
    const rows = returned.get(model)
    if (!rows || !ids.every((id) => rows.has(id))) return undefined
    for (const [name, statements] of transaction.uncommitted.statements) {
      if (!RECORDS.has(name) && (name !== model || statements > 1)) return undefined
    }
    return rows
  }
  return {
    areUnrelated: (model, ids) => rowsOf(inserted, model, ids) !== undefined,
    rows: (model, select, ids) => {
      if (shows?.select !== select) return undefined
      const rows = rowsOf(inserted, model, ids) ?? rowsOf(updated, model, ids)
      const known = ids.flatMap((id) => {
        const row = rows?.get(id)
        return row ? [row] : []
      })
      return known.length === ids.length ? known : undefined
    },
  }
}

/** The form of the response, if the saving statement can return its columns. */
export const shownWith = ({ shows }: WriteContext, model: Model): WriteContext['shows'] =>
  shows?.model === model && !shows.select.reads.includes(model.name) ? shows : undefined
