import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { objectKey } from '../../write/related-object.ts'
import { loadRows } from '../../write/rows.ts'
import { namesakesOf } from '../../write/validate/unique.ts'
import { markDeleted, removeValues } from '../difference/difference.ts'
import { draftOf, uniqueNames } from '../difference/drafts.ts'
import { hasSameValue } from '../records/recorded-change.ts'
import { stateOf } from './branch-conflicts.ts'
import type { PlannedMerge } from './planned-merge.ts'
import { leaveOutPart, listOfPart } from './sides.ts'

/** Unique values that another object of main has now. */
export async function compareUniqueValues(merge: PlannedMerge): Promise<void> {
  const { service, transaction } = merge.context
  const { created, changed, deleted } = merge.difference
  for (const model of new Set([...created.keys(), ...changed.keys()])) {
    const unique = uniqueNames(model)
    const values = [...(changed.get(model) ?? [])].filter(([, edits]) =>
      Object.keys(edits).some((key) => unique.has(key)),
    )
    const ids = values.map(([id]) => id)
    const drafts = [
      ...[...(created.get(model)?.values() ?? [])].map((row) => draftOf(model, row, undefined)),
      ...(await loadRows(service, transaction, model, ids)).map((previous) =>
        draftOf(model, { ...previous, ...changed.get(model)?.get(previous.id) }, previous),
      ),
    ]
    const namesakes = await namesakesOf(merge.context, drafts, [...(deleted.get(model) ?? [])])
    for (const [id, { other: namesake, field }] of namesakes) {
      const value = drafts.find(({ next }) => next.id === id)?.next[field] as Json // a column
      await compareUnique(merge, model, { id, namesake, field, value })
    }
  }
}

interface TakenValue {
  readonly id: number
  /** Id of the object that has the value on main. */
  readonly namesake: number
  readonly field: string
  readonly value: Json
}

async function compareUnique(merge: PlannedMerge, model: Model, taken: TakenValue): Promise<void> {
  const { id, namesake, field, value } = taken
  const { created, changed } = merge.difference
  // Parts without records, such as the mappings of ports, are stored anew when they are restored.
  if (!model.has('changeLogging') && (await isAsBefore(merge, model, namesake)))
    return markDeleted(merge.difference, model, namesake)
  const row = created.get(model)?.get(id)
  // Parts are in conflict as a value of the object that shows them.
  const list = row && listOfPart(merge.context.service.registry, model, row)
  const subject = list ? { model: list.owner, id: list.id } : { model, id }
  const rival =
    list && model.definition.changeSide ? await rivalOwner(merge, model, namesake, list.id) : { model, id: namesake }
  const deletes = await merge.countDependents(rival.model, rival.id)
  const other = { type: rival.model.name, id: rival.id }
  const isMine =
    merge.judge({
      ...{ reason: 'taken', type: subject.model.name, id: subject.id, field: list?.field ?? field, other },
      ...{ branch: value, deletes, state: stateOf(rival.model.name, rival.id, value, deletes) },
    }) === 'mine'
  if (isMine) {
    changed.get(rival.model)?.delete(rival.id)
    markDeleted(merge.difference, rival.model, rival.id)
    await merge.followDeletions()
  } else if (created.get(subject.model)?.has(subject.id)) merge.leaveOut([objectKey(subject.model.name, subject.id)])
  else if (row) await leaveOutPart(merge, model, id)
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

/** The object whose side has the value on main; the part itself if that is on the other side of the same object. */
async function rivalOwner({ context }: PlannedMerge, model: Model, namesake: number, owner: number) {
  const { service, transaction } = context
  const [row] = await loadRows(service, transaction, model, [namesake])
  const list = row && listOfPart(service.registry, model, row)
  return list && list.id !== owner ? { model: list.owner, id: list.id } : { model, id: namesake }
}
