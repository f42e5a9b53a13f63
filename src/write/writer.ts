import type { Definition } from '../schema/model.ts'
import type { FieldRenaming, Writer } from '../schema/rule.ts'
import { requestDefaults, type WriteContext } from './context.ts'
import { emptyRow } from './empty-row.ts'
import { renameFields } from './field-names/field-uses.ts'
import { deleteCascade } from './remove/cascade.ts'
import { type DraftRow, loadRows } from './rows.ts'
import { saveObjects } from './save/save-objects.ts'
import { customFieldsOf } from './validate/custom-fields.ts'
import { computeRow } from './validate/rules.ts'

type Named = Pick<Definition, 'name'>
type Partial = Readonly<Record<string, unknown>>

/** The writer for effects: without validation, otherwise the same as a request. */
export function makeWriter(context: WriteContext): Writer {
  const { service, transaction } = context
  const modelOf = ({ name }: Named) => service.registry.model(name)
  const writer = {
    create: async (definition: Named, rows: readonly Partial[]): Promise<number[]> => {
      const model = modelOf(definition)
      const fields = await customFieldsOf(context, model)
      // As in NetBox: a field without a default has no key.
      const defaults = Object.fromEntries(
        fields.flatMap(({ name, default: value }) => (value === null ? [] : [[name, value]])),
      )
      const empty = emptyRow(model, requestDefaults(context))
      const items = rows.map((row) => {
        const next: DraftRow = { ...empty, ...row, id: 0 }
        if (model.fields.has('custom_fields') && !row.custom_fields) next.custom_fields = defaults
        computeRow(model, next)
        return { next, previous: undefined }
      })
      await saveObjects(context, model, items, { on: 'create', by: 'effect' })
      return items.map(({ next }) => next.id)
    },
    update: async (definition: Named, rows: readonly (Partial & { readonly id: number })[]) => {
      const model = modelOf(definition)
      const ids = rows.map(({ id }) => id)
      const stored = await loadRows(service, transaction, model, ids, { lock: true })
      const changes = new Map(rows.map((row) => [row.id, row]))
      const items = stored.map((previous) => {
        const next: DraftRow = { ...previous, ...changes.get(previous.id) }
        computeRow(model, next)
        return { next, previous }
      })
      await saveObjects(context, model, items, { on: 'update', by: 'effect' })
    },
    renameFields: (renamings: readonly FieldRenaming[]) => renameFields(context, renamings),
    remove: (definition: Named, ids: readonly number[]) => deleteCascade(context, modelOf(definition), ids, new Map()),
  }
  // The generic signatures of Writer are narrower than those for rows of any model.
  return writer as unknown as Writer
}
