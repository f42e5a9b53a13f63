import { displayOf } from '../query/display.ts'
import { oncePerModel } from '../schema/once-per-model.ts'
import type { Model } from '../schema/registry.ts'
import { identifier, text } from '../sql/fragment.ts'
import { CHANGE_MODEL } from './changelog.ts'
import type { WriteContext } from './context.ts'
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
    (model.behaviour?.completion ?? []).length === 0 &&
    ![...model.fields.values()].some(
      (field) =>
        (field.kind === 'counter' && field.of === model.name) ||
        (field.kind === 'computed' && field.recorded !== undefined),
    ) &&
    // The statement that inserts rows does not find them in their table.
    !text(displayOf(model, identifier('o'))).includes(`"${model.table}"`),
)

/** Names of the lists that are saved after a row of the model. */
const listsOf = oncePerModel((model): readonly string[] =>
  [...model.fields].flatMap(([name, { kind }]) =>
    kind === 'manyToMany' || kind === 'tags' ? [name] : [],
  ),
)

const isEmpty = (ids: unknown): boolean => !Array.isArray(ids) || ids.length === 0

/** Whether all that a write has done is to insert objects, these among them, and to record that: then nothing can point at them. */
export function areUnrelated(
  { transaction, inserted }: WriteContext,
  model: string,
  ids: readonly number[],
): boolean {
  const fresh = inserted.get(model)
  if (!fresh || !transaction.uncommitted) return false
  for (const name of transaction.uncommitted) {
    if (name !== model && name !== CHANGE_MODEL) return false
  }
  return ids.every((id) => fresh.has(id))
}
