import type { Column } from '../../schema/column.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { objectKey } from '../../write/related-object.ts'
import { markDeleted } from '../difference/difference.ts'
import { stateOf } from './branch-conflicts.ts'
import { keyOf } from './branch-states.ts'
import type { OverlayRow } from './overlay-rows.ts'
import type { PlannedMerge } from './planned-merge.ts'

/** Parts that belong to one side of an object, such as the ends of a cable, are one value. */
export async function compareSides(merge: PlannedMerge): Promise<void> {
  const { branch, rows } = merge.states
  const { registry } = merge.context.service
  for (const [model, list] of Map.groupBy(rows, (row) => row.model)) {
    const { holder, side } = sideColumns(model)
    if (!holder || !side || holder.field.kind !== 'foreignKey') continue
    const owner = registry.model(holder.field.to)
    const sides = Map.groupBy(list, (row) => sideOf(row, holder, side))
    const added = await merge.context.transaction.query<{ id: number; owner: number; side: string }>(sql`
      select t.id, t.${identifier(holder.name)} as owner, t.${identifier(side.name)} as side
      from ${table(model)} t where t.${identifier(holder.name)} = any(${[...sides.keys()].map((key) => Number(key.split(' ')[0]))}::bigint[])
        and t.created > ${branch.lastSync ?? branch.created}::timestamptz and t.id <> all(${list.map(({ id }) => id)}::bigint[])`)
    for (const [key, parts] of sides) {
      const [id, name] = [Number(key.split(' ')[0]), key.split(' ')[1] ?? '']
      if (merge.difference.created.get(owner)?.has(id) || merge.difference.deleted.get(owner)?.has(id)) continue
      const newOnMain = added.filter((end) => end.owner === id && end.side === name)
      const newInBranch = parts.filter(({ base }) => !base)
      const isMoved = newOnMain.length > 0 || (newInBranch.length > 0 && parts.some(({ base, main }) => base && !main))
      if (!isMoved) continue
      const field = sideField(owner, model, name)
      const state = stateOf(
        newOnMain.map((end) => end.id),
        parts.map((row) => [row.id, row.branch !== undefined]),
      )
      const values = { main: newOnMain.map((end) => end.id), branch: newInBranch.map((part) => part.id) }
      if (merge.judge({ reason: 'changed', type: owner.name, id, field, ...values, state }) === 'mine') {
        for (const end of newOnMain) markDeleted(merge.difference, model, end.id)
      } else {
        await keepParts(merge, parts)
      }
    }
  }
  await merge.followDeletions()
}

/** The columns with the object to which a part belongs, and with its side; undefined for other models. */
const sideColumns = ({ definition: { changeSide }, columns }: Model) => ({
  holder: changeSide && columns.get(changeSide.of),
  side: changeSide && columns.get(changeSide.side),
})

const sideOf = ({ branch, base }: OverlayRow, holder: Column, side: Column): string => {
  const columns = branch ?? base ?? {}
  return `${columns[holder.name]} ${columns[side.name]}`
}

/** Leaves the parts as they are on main. */
async function keepParts(merge: PlannedMerge, parts: readonly OverlayRow[]): Promise<void> {
  merge.leaveOut(parts.filter(({ base }) => !base).map(keyOf))
  await merge.keep(parts.filter(({ main, branch }) => main && !branch).map(keyOf))
}

/** Leaves out a new part of the branch; a whole side of an object stays as it is on main. */
export async function leaveOutPart(merge: PlannedMerge, model: Model, id: number): Promise<void> {
  const { holder, side } = sideColumns(model)
  const overlay = merge.states.byKey.get(objectKey(model.name, id))
  if (!holder || !side || !overlay) return merge.leaveOut([objectKey(model.name, id)])
  const name = sideOf(overlay, holder, side)
  await keepParts(
    merge,
    merge.states.rows.filter((row) => row.model === model && sideOf(row, holder, side) === name),
  )
}

/** Names of the fields of the owner that list the parts. */
export const listsOfParts = (owner: Model, part: Model): readonly string[] =>
  [...owner.fields].flatMap(([name, field]) =>
    field.kind === 'computed' && field.recorded?.of === part.name ? [name] : [],
  )

/** Name of the field that lists the parts of a side. */
export function sideField(owner: Model, part: Model, side: string): string {
  const lists = listsOfParts(owner, part)
  return lists.find((name) => name.startsWith(side.toLowerCase())) ?? lists[0] ?? side
}
