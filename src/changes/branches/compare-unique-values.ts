import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { objectKey } from '../../write/related-object.ts'
import { loadRows } from '../../write/rows.ts'
import { namesakesOf } from '../../write/validate/unique.ts'
import { markDeleted, removeValues } from '../difference/difference.ts'
import { draftOf, uniqueNames } from '../difference/drafts.ts'
import { hasSameValue } from '../records/recorded-change.ts'
import type { RestoredValues } from '../records/recorded-row.ts'
import { stateOf } from './branch-conflicts.ts'
import { referencesIn } from './compare.ts'
import { leaveOutPart, listsOfParts, sideField } from './compare-sides.ts'
import type { PlannedMerge } from './planned-merge.ts'

/** Unique values that another object of main has now. */
export async function compareUniqueValues(merge: PlannedMerge): Promise<void> {
  const { service, transaction } = merge.context
  const { created, changed, deleted } = merge.difference
  for (const model of new Set([...created.keys(), ...changed.keys()])) {
    const unique = uniqueNames(model)
    const values = [...(changed.get(model) ?? [])].filter(([, edits]) =>
      Object.keys(edits).some((key) => unique.has(key)),
    )
    const stored = await loadRows(
      service,
      transaction,
      model,
      values.map(([id]) => id),
    )
    const drafts = [
      ...[...(created.get(model)?.values() ?? [])].map((row) => draftOf(model, row, undefined)),
      ...stored.map((previous) => draftOf(model, { ...previous, ...changed.get(model)?.get(previous.id) }, previous)),
    ]
    for (const [id, { other: namesake, field }] of await namesakesOf(merge.context, drafts, [
      ...(deleted.get(model) ?? []),
    ])) {
      await compareUnique(
        merge,
        model,
        id,
        namesake,
        field,
        drafts.find(({ next }) => next.id === id)?.next[field] as Json,
      ) // a column
    }
  }
}

async function compareUnique(
  merge: PlannedMerge,
  model: Model,
  id: number,
  namesake: number,
  field: string,
  value: Json,
): Promise<void> {
  const { created, changed } = merge.difference
  // Parts without records, such as the mappings of ports, are stored anew when they are restored.
  if (!model.has('changeLogging') && (await isAsBefore(merge, model, namesake)))
    return markDeleted(merge.difference, model, namesake)
  const [subject, rival, name] = await owners(merge, model, id, namesake, field)
  const deletes = await merge.countDependents(rival.model, rival.id)
  const state = stateOf(rival.model.name, rival.id, value, deletes)
  const isMine =
    merge.judge({
      ...{ reason: 'taken', type: subject.model.name, id: subject.id, field: name, branch: value, deletes, state },
      other: { type: rival.model.name, id: rival.id },
    }) === 'mine'
  if (isMine) {
    changed.get(rival.model)?.delete(rival.id)
    markDeleted(merge.difference, rival.model, rival.id)
    await merge.followDeletions()
  } else if (created.get(subject.model)?.has(subject.id)) merge.leaveOut([objectKey(subject.model.name, subject.id)])
  else if (created.get(model)?.has(id)) await leaveOutPart(merge, model, id)
  else removeValues(merge.difference, model, id, uniqueNames(model))
}

/** Whether the row is the same, except for its id, as one that the branch has replaced. */
async function isAsBefore(merge: PlannedMerge, model: Model, id: number): Promise<boolean> {
  const { service, transaction } = merge.context
  const [row] = await loadRows(service, transaction, model, [id])
  const columns = [...model.columns.values()].filter(({ key, field }) => key !== 'id' && field.kind !== 'dateTime')
  return merge.states.rows.some(
    ({ model: replacedModel, base, main }) =>
      replacedModel === model &&
      base &&
      !main &&
      columns.every(({ key, name }) => hasSameValue(base[name], row?.[key] as Json)), // a column
  )
}

/** The objects in conflict: for parts of a side, the objects that they belong to. */
async function owners(merge: PlannedMerge, model: Model, id: number, namesake: number, field: string) {
  const { service, transaction } = merge.context
  const { changeSide } = model.definition
  const holder = changeSide && model.columns.get(changeSide.of)
  const row = merge.difference.created.get(model)?.get(id)
  const shownOn = row && !model.has('changeLogging') ? shownIn(merge, model, row) : undefined
  if (shownOn) return [{ model: shownOn.owner, id: shownOn.id }, { model, id: namesake }, shownOn.field] as const
  if (!changeSide || holder?.field.kind !== 'foreignKey' || !row)
    return [{ model, id }, { model, id: namesake }, field] as const
  const owner = service.registry.model(holder.field.to)
  const [rivalRow] = await loadRows(service, transaction, model, [namesake])
  const [ownerId, rivalOwner] = [Number(row[changeSide.of]), Number(rivalRow?.[changeSide.of])]
  const name = sideField(owner, model, String(row[changeSide.side]))
  const rival = ownerId === rivalOwner ? { model, id: namesake } : { model: owner, id: rivalOwner }
  return [{ model: owner, id: ownerId }, rival, name] as const
}

/** The object whose records show the part, and the field. */
function shownIn(merge: PlannedMerge, part: Model, row: RestoredValues) {
  const { registry } = merge.context.service
  return referencesIn(part, row).flatMap(({ type, id }) => {
    const owner = registry.model(type)
    return listsOfParts(owner, part).map((field) => ({ owner, id, field }))
  })[0]
}
