import { displayOf } from '../query/display.ts'
import { oncePerModel } from '../schema/once-per-model.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { identifier, type Sql } from '../sql/fragment.ts'
import type { FreshObjects } from '../sql/queryable.ts'
import type { WriteContext } from './context.ts'
import { listsOf } from './empty-row.ts'
import type { DraftRow } from './rows.ts'

/**
 * Whether rows of the model are, as soon as they are inserted, what a change record has to show: then they
 * need not be read again. They are not where something that belongs to them is saved afterwards.
 */
export const areWholeWhenInserted = (model: Model, rows: readonly DraftRow[]): boolean =>
  isWholeWithoutLists(model) &&
  listsOf(model).every((name) => rows.every((row) => isEmpty(row[name])))

const isWholeWithoutLists = oncePerModel(
  (model) =>
    model.has('changeLogging') &&
    !model.definition.tree &&
    (model.behaviour?.beforeChangeRecord ?? []).length === 0 &&
    ![...model.fields.values()].some(
      (field) =>
        (field.kind === 'counter' && field.of === model.name) ||
        (field.kind === 'computed' && field.recorded !== undefined),
    ) &&
    // The statement that inserts rows does not find them in their table.
    !displayOf(model, identifier('t')).reads.includes(model.name),
)

const isEmpty = (ids: unknown): boolean => !Array.isArray(ids) || ids.length === 0

/** Rows of one model that a write has inserted whole, by id; as the answer will show them, if it was known how. */
export type InsertedRows = ReadonlyMap<number, unknown[] | undefined>

/** What is known of the objects that a write has inserted, for as long as it has done nothing else but record that. */
export function freshObjects({ transaction, inserted, shows }: WriteContext): FreshObjects {
  const rowsOf = (model: string, ids: readonly number[]): InsertedRows | undefined => {
    const rows = inserted.get(model)
    if (!rows || !transaction.uncommitted || !ids.every((id) => rows.has(id))) return undefined
    for (const [name, statements] of transaction.uncommitted) {
      if (name !== SYSTEM.objectChange && (name !== model || statements > 1)) return undefined
    }
    return rows
  }
  return {
    areUnrelated: (model, ids) => rowsOf(model, ids) !== undefined,
    rows: (model, select, ids) => {
      const rows = shows?.select === select ? rowsOf(model, ids) : undefined
      const known = ids.flatMap((id) => {
        const row = rows?.get(id)
        return row ? [row] : []
      })
      return known.length === ids.length ? known : undefined
    },
  }
}

/** Select list of the answer, if the statement that inserts rows of the model can bring it. */
export const shownWith = ({ shows }: WriteContext, model: Model): Sql | undefined =>
  shows?.model === model && !shows.select.reads.includes(model.name) ? shows.select : undefined
