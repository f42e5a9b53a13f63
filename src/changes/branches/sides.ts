import type { Model, Registry } from '../../schema/registry.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { objectKey } from '../../write/related-object.ts'
import { loadRows } from '../../write/rows.ts'
import { markDeleted } from '../difference/difference.ts'
import type { RestoredValues } from '../records/recorded-row.ts'
import { stateOf } from './branch-conflicts.ts'
import { keyOf } from './branch-states.ts'
import { outcomeOf, type States } from './cells.ts'
import { type OverlayRow, rowOf } from './overlay-rows.ts'
import type { PlannedMerge } from './planned-merge.ts'
import { referencesIn } from './references.ts'

/** A field of an object that lists its parts, such as the ends of one side of a cable. */
interface PartList {
  readonly owner: Model
  readonly id: number
  readonly field: string
}

/** The list in which a part appears; undefined for other objects. */
export function listOfPart(registry: Registry, part: Model, row: RestoredValues): PartList | undefined {
  const { changeSide } = part.definition
  const side = changeSide ? String(row[changeSide.side]).toLowerCase() : ''
  for (const { type, id } of referencesIn(part, row)) {
    const owner = registry.model(type)
    for (const [name, field] of owner.fields) {
      const isList = field.kind === 'computed' && field.recorded?.of === part.name
      if (isList && name.startsWith(side)) return { owner, id, field: name }
    }
  }
  return undefined
}

/** The side of an object to which a part belongs; undefined for other objects. */
const sideOf = ({ definition: { changeSide } }: Model, row: RestoredValues): string | undefined =>
  changeSide && `${row[changeSide.of]} ${row[changeSide.side]}`

const partOf = ({ model, base, branch }: OverlayRow): RestoredValues => rowOf(model, branch ?? base ?? {})

/** Parts that belong to one side of an object, such as the ends of a cable, are one value. */
export async function compareSides(merge: PlannedMerge): Promise<void> {
  const { created, deleted } = merge.difference
  for (const [model, rows] of Map.groupBy(merge.states.rows, (row) => row.model)) {
    const added = await addedOnMain(merge, model, rows)
    for (const [side, parts] of Map.groupBy(rows, (row) => sideOf(model, partOf(row)))) {
      const list = parts[0] && listOfPart(merge.context.service.registry, model, partOf(parts[0]))
      if (side === undefined || !list) continue
      const { owner, id, field } = list
      if (created.get(owner)?.has(id) || deleted.get(owner)?.has(id)) continue
      const idsIn = (state: keyof States) => parts.flatMap((part) => (part[state] ? part.id : []))
      const main = added.flatMap((row) => (sideOf(model, row) === side ? row.id : []))
      const ends = { base: idsIn('base'), main: [...idsIn('main'), ...main], branch: idsIn('branch') }
      if (outcomeOf(ends) !== 'contested') continue
      const branch = parts.flatMap((part) => (part.base ? [] : part.id))
      const state = stateOf(
        main,
        parts.map((part) => [part.id, part.branch !== undefined]),
      )
      if (merge.judge({ reason: 'changed', type: owner.name, id, field, main, branch, state }) === 'mine') {
        for (const end of main) markDeleted(merge.difference, model, end)
      } else await keepParts(merge, parts)
    }
  }
  await merge.followDeletions()
}

/** The parts that main has added since the branch was synchronised to objects whose parts the branch changes. */
async function addedOnMain({ context, states: { branch } }: PlannedMerge, model: Model, rows: readonly OverlayRow[]) {
  const { changeSide } = model.definition
  const holder = changeSide && model.columns.get(changeSide.of)
  if (!holder) return []
  const { service, transaction } = context
  const ids = await transaction.queryColumn(sql`
    select t.id from ${table(model)} t
    where t.${identifier(holder.name)} = any(${rows.map((row) => Number(partOf(row)[holder.key]))}::bigint[])
      and t.created > ${branch.lastSync ?? branch.created}::timestamptz
      and t.id <> all(${rows.map(({ id }) => id)}::bigint[])`)
  return await loadRows(service, transaction, model, ids.map(Number))
}

/** Leaves the parts as they are on main. */
async function keepParts(merge: PlannedMerge, parts: readonly OverlayRow[]): Promise<void> {
  merge.leaveOut(parts.filter(({ base }) => !base).map(keyOf))
  await merge.keep(parts.filter(({ main, branch }) => main && !branch).map(keyOf))
}

/** Leaves out a new part of the branch; a whole side of an object stays as it is on main. */
export async function leaveOutPart(merge: PlannedMerge, model: Model, id: number): Promise<void> {
  const key = objectKey(model.name, id)
  const part = merge.states.byKey.get(key)
  const side = part && sideOf(model, partOf(part))
  if (side === undefined) return merge.leaveOut([key])
  await keepParts(
    merge,
    merge.states.rows.filter((row) => row.model === model && sideOf(model, partOf(row)) === side),
  )
}
