import { displayOf } from '../query/display.ts'
import type { Model } from '../schema/registry.ts'
import { identifier, text } from '../sql/fragment.ts'
import type { DraftRow } from './rows.ts'

const models = new WeakMap<Model, boolean>()

/**
 * Whether rows of the model are, as soon as they are inserted, what a change record has to show: then they
 * need not be read again. They are not where something that belongs to them is saved afterwards.
 */
export const areWholeWhenInserted = (model: Model, rows: readonly DraftRow[]): boolean =>
  isWholeWhenInserted(model) && !rows.some((row) => hasRelations(model, row))

function isWholeWhenInserted(model: Model): boolean {
  const known = models.get(model)
  if (known !== undefined) return known
  const isWhole =
    model.has('changeLogging') &&
    !model.definition.tree &&
    (model.behaviour?.completion ?? []).length === 0 &&
    ![...model.fields.values()].some(
      (field) =>
        (field.kind === 'counter' && field.of === model.name) ||
        (field.kind === 'computed' && field.recorded !== undefined),
    ) &&
    // The statement that inserts rows does not find them in their table.
    !text(displayOf(model, identifier('o'))).includes(`"${model.table}"`)
  models.set(model, isWhole)
  return isWhole
}

function hasRelations(model: Model, row: DraftRow): boolean {
  for (const [name, field] of model.fields) {
    if (field.kind !== 'manyToMany' && field.kind !== 'tags') continue
    const ids = row[name]
    if (Array.isArray(ids) && ids.length > 0) return true
  }
  return false
}
