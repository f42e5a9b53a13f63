import { isStored } from '../../schema/column.ts'
import { naturalKeys } from '../../schema/natural-key.ts'
import { RECORDED_DISPLAY } from '../../schema/packs/pack-document.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../../write/context.ts'
import { loadRows } from '../../write/rows.ts'
import { saveObjects } from '../../write/save/save-objects.ts'
import { perform } from '../../write/transaction.ts'
import { upsertMatched } from '../../write/upsert/upsert-objects.ts'
import type { Change } from './comparison.ts'
import { copyValue, isReference } from './digests.ts'

/** Objects that are saved together: their rows are in memory several times meanwhile. */
const BATCH = 500

/**
 * Names that objects of the source have given up, before new objects are created that may have them now. Change records
 * are written, rules are not applied: the values are those of a service with the same rules.
 */
export const freeNames = (context: WriteContext, changes: readonly Change[]): Promise<void> =>
  save(context, changes, (model, name) => isUniqueValue(model, name) && !isReference(model, name))

/** All other values, once the objects exist to which they refer. */
export const applyChanges = (context: WriteContext, changes: readonly Change[]): Promise<void> =>
  save(context, changes, (model, name) => !isUniqueValue(model, name) || isReference(model, name))

const isUniqueValue = (model: Model, name: string): boolean =>
  naturalKeys(model).some(({ fields }) => fields.includes(name))

async function save(
  context: WriteContext,
  changes: readonly Change[],
  isPart: (model: Model, name: string) => boolean,
): Promise<void> {
  for (const [model, list] of Map.groupBy(changes, ({ model }) => model)) {
    const due = list.flatMap((change) => {
      const fields = change.fields.filter((name) => isPart(model, name))
      return fields.length > 0 ? [{ ...change, fields }] : []
    })
    for (let start = 0; start < due.length; start += BATCH) {
      await saveBatch(context, model, due.slice(start, start + BATCH))
    }
  }
}

async function saveBatch(context: WriteContext, model: Model, changes: readonly Change[]): Promise<void> {
  const { service, transaction } = context
  const ids = changes.map(({ id }) => id)
  const rows = new Map((await loadRows(service, transaction, model, ids, { lock: true })).map((row) => [row.id, row]))
  const items = changes.flatMap((change) => {
    const previous = rows.get(change.id)
    if (!previous) return []
    const next: Record<string, unknown> & { id: number } = { ...previous, id: change.id }
    for (const name of change.fields) copyValue(model, name, change.row, next)
    if (model.fields.has(RECORDED_DISPLAY)) next[RECORDED_DISPLAY] = change.row[RECORDED_DISPLAY]
    for (const [name, field] of model.fields) {
      if (isStored(field) && field.compute) next[name] = field.compute(next)
    }
    return [{ previous, next }]
  })
  const saved = async () => {
    context.journal.noteNamed(model, ids)
    await saveObjects(context, model, items, { on: 'update' })
  }
  await perform(context, saved, { isPart: true })
}

/** Values that are stored with other objects, such as the ends of cables: written as a client would. */
export async function applyInputs(context: WriteContext, changes: readonly Change[]): Promise<void> {
  const withInputs = changes.filter(({ inputs }) => Object.keys(inputs).length > 0)
  for (const [model, list] of Map.groupBy(withInputs, ({ model }) => model)) {
    const inputs = list.map((change) => change.inputs)
    const ids = list.map(({ id }) => ({ id }))
    await perform(context, () => upsertMatched(context, model, inputs, ids, {}), { isPart: true })
  }
}
