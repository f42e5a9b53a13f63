import { genericKeys } from '../../schema/generic-keys.ts'
import { type Model, needsTarget } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { requestDefaults } from '../../write/context.ts'
import { emptyRow } from '../../write/empty-row.ts'
import { isSaveTime } from '../../write/record/undo-data.ts'
import { objectKey } from '../../write/related-object.ts'
import { referencesOf } from '../../write/remove/dependent-rows.ts'
import type { DependentReference } from '../../write/remove/find-dependents.ts'
import { loadRows, type StoredRow } from '../../write/rows.ts'
import {
  changedNames,
  hasSameValue,
  type RecordedChange,
  undoDataIn,
  valuesAfter,
  valuesBefore,
} from '../records/recorded-change.ts'
import { type RestoredValues, rowValues, wholeRow } from '../records/recorded-row.ts'
import { addValues, type Difference, emptyDifference, isCopied, markDeleted, valuesIn } from './difference.ts'
import { missingKeys, withoutMissing } from './missing-objects.ts'
import { keyOfChange, type Undo } from './undo-plan.ts'
import { referencesAndLists } from './undone-changes.ts'

/**
 * The difference between the present state and the one before the changes: objects that the changes have deleted, with
 * the rows that were deleted with them, objects that they have created, and the former values of all others.
 */
export async function undoneDifference(undo: Undo): Promise<Difference> {
  const { context, changes } = undo
  const difference = emptyDifference()
  for (const [model, ofModel] of byModel(undo)) {
    const stored = new Map(
      (
        await loadRows(
          context.service,
          context.transaction,
          model,
          ofModel.map(({ object_id }) => object_id),
          { lock: true },
        )
      ).map((row) => [row.id, row]),
    )
    for (const [id, list] of Map.groupBy(ofModel, ({ object_id }) => object_id)) {
      const [isNew, isGone] = [list[0]?.action === 'create', list.at(-1)?.action === 'delete']
      if (isNew && isGone) continue
      if (isNew) markDeleted(difference, model, id)
      else if (isGone) valuesIn(difference.created, model).set(id, { ...formerValues(undo, model, list), id })
      else addValues(difference, model, id, formerValues(undo, model, list, stored.get(id)))
    }
  }
  await clearMissing(undo, difference)
  await addDependents(undo, difference, changes)
  return difference
}

const byModel = ({ context, changes }: Undo): ReadonlyMap<Model, readonly RecordedChange[]> =>
  new Map(
    [...Map.groupBy(changes, ({ type }) => type)].map(([type, list]) => [context.service.registry.model(type), list]),
  )

/** Values of the object before the changes, which are all of the object. `stored`: the object, if it exists. */
function formerValues(
  { names, context }: Undo,
  model: Model,
  changes: readonly RecordedChange[],
  stored?: StoredRow,
): RestoredValues {
  let values: Record<string, unknown> = {}
  for (const change of changes.toReversed()) {
    const [before, data] = [valuesBefore(change), undoDataIn(change)]
    if (change.action === 'delete') values = { ...wholeRow(model, before, data, names) }
    if (change.action !== 'update') continue
    Object.assign(values, rowValues(model, changedNames(before, valuesAfter(change)), before, data, names))
    for (const column of model.columns.values()) {
      const { key } = column
      if (isBesideRecord(column) && key in data.row) values[key] = data.row[key]
      if (!isSaveTime(column)) continue
      const present = key in values ? values[key] : stored?.[key]
      const isLast = hasSameValue(data.saved?.[key], present as string | null) // a text or null
      const former = isLast ? data.row[key] : context.now
      // A change of parts in other tables has not set the time.
      values[key] = key in data.row ? former : present
    }
  }
  return values
}

/** Whether people see the value but change records lack it, because it is another form of a recorded value. */
const isBesideRecord = (column: Parameters<typeof isSaveTime>[0]): boolean => {
  const { field } = column
  const isHidden = 'hidden' in field && field.hidden === true
  return 'unlogged' in field && field.unlogged === true && !isHidden && !isSaveTime(column)
}

/** Clears references of restored objects to objects that cannot be restored, such as users. */
async function clearMissing({ context, restored }: Undo, { created }: Difference): Promise<void> {
  const keys = [...created].flatMap(([model, rows]) =>
    [...rows.values()].flatMap((row) => referencesAndLists(model, row)),
  )
  const missing = await missingKeys(
    context,
    keys.filter((key) => !restored.has(key)),
  )
  for (const [model, rows] of created) {
    for (const [id, row] of rows) rows.set(id, { ...(withoutMissing(model, row, missing) ?? row), id })
  }
}

/** Adds the rows without change records that were deleted with the objects, if what they refer to exists. */
async function addDependents(
  { context, restored }: Undo,
  { created, changed }: Difference,
  changes: readonly RecordedChange[],
): Promise<void> {
  const { service, transaction } = context
  const hasTags = (type: string, id: number): boolean =>
    restored.has(objectKey(type, id)) || 'tags' in (changed.get(service.registry.model(type))?.get(id) ?? {})
  const dependents = changes.flatMap((change) =>
    restored.has(keyOfChange(change)) && change.action === 'delete' ? (undoDataIn(change).dependents ?? []) : [],
  )
  for (const [name, list] of Map.groupBy(dependents, ({ model }) => model)) {
    const model = service.registry.models.get(name)
    if (!model) continue
    const rows = list.map(({ row }) => ({ ...emptyRow(model, requestDefaults(context)), ...row }))
    const ids = rows.map(({ id }) => id)
    const taken = new Set(
      await transaction.queryColumn(sql`select id from ${table(model)} where id = any(${ids}::bigint[])`),
    )
    const missing = await missingKeys(
      context,
      rows.flatMap((row) => referencesOf(model, row).filter((key) => !restored.has(key))),
    )
    for (const row of rows) {
      if (taken.has(row.id) || referencesOf(model, row).some((key) => missing.has(key))) continue
      // Tags are restored with the objects that have them.
      if (name === SYSTEM.taggedItem && hasTags(String(row.object_type), Number(row.object_id))) continue
      valuesIn(created, model).set(row.id, row)
    }
  }
}

/** Whether the reference belongs to an object with records, and effects do not copy it from another one. */
export const isIndependent = (referrer: DependentReference['referrer']): boolean =>
  !isCopied(referrer) && referrer.model.has('changeLogging')

/** Deletes the referring row if it cannot exist without the target, and clears the reference otherwise. */
export function followDeletion(difference: Difference, reference: DependentReference): void {
  const { referrer, id } = reference
  // Effects copy a copied reference again, from an object that may refer to another one then.
  if (!isCopied(referrer) && needsTarget(referrer)) markDeleted(difference, referrer.model, id)
  else if (referrer.kind === 'foreignKey') addValues(difference, referrer.model, id, { [referrer.name]: null })
  else if (referrer.kind === 'genericForeignKey') {
    const { type, id: key } = genericKeys(referrer.name, referrer.field)
    addValues(difference, referrer.model, id, { [type]: null, [key]: null })
  } else difference.unlinked.push(reference)
}
