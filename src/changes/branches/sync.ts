import { requireOpen } from '../../db/branches/branch-database.ts'
import { BASE, BRANCH, type BranchedTable, branchedTables, DELETED } from '../../db/branches/branch-tables.ts'
import type { Json } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { identifier, join, raw, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { systemTable } from '../../sql/table.ts'
import { isSaveTime } from '../../write/record/undo-data.ts'
import { runWrite } from '../../write/run.ts'
import { isDerived } from '../../write/validate/rules.ts'
import { hasSameValue } from '../records/recorded-change.ts'
import type { BranchDifference } from './branch-difference.ts'
import { keyOf } from './branch-states.ts'
import { type BranchRequest, decidedDifference, isOpen, setBranch } from './merge.ts'
import { type Columns, isOf, listTables, mergedTables, type OverlayRow, publicTable } from './overlay-rows.ts'

/** What becomes of a row of the branch. */
type Fate =
  | { readonly kind: 'drop' | 'stay' | 'deleted' }
  /** Main's row with the values that the branch has changed. */
  | { readonly kind: 'update'; readonly columns: Columns }

/**
 * Makes the branch the difference to main as it is now: each value that the branch has not changed gets main's present
 * one, and what was decided for main is dropped. Returns the number of rows that main has changed since. Throws
 * UnresolvedConflicts, unless the branch's values are confirmed.
 */
export async function synchronizeBranch(
  service: Service,
  { id }: { readonly id: number },
  request: BranchRequest,
): Promise<number> {
  return await runWrite(service, request, async (context) => {
    const { transaction, now } = context
    const { registry } = context.service
    await requireOpen(transaction, id)
    const compared = await decidedDifference({ ...context, assumptions: undefined }, id, request.isConfirmed)
    const { difference, rows, conflicts } = compared
    const byModel = Map.groupBy(rows, ({ model }) => model)
    for (const branched of mergedTables(registry)) {
      const model = registry.model(branched.model)
      const fates = (byModel.get(model) ?? []).map((row) => ({ row, fate: fateOf(compared, row) }))
      const idsOf = (kind: Fate['kind']) => fates.flatMap(({ row, fate }) => (fate.kind === kind ? row.id : []))
      const dropped = idsOf('drop')
      if (dropped.length > 0) {
        transaction.send(
          volatile`delete from ${systemTable(branched.overlay)} o where ${isOf(id)} and o.id = any(${dropped}::bigint[])`,
        )
        for (const statement of dropListChanges(registry, model, dropped, id)) transaction.send(statement)
      }
      const deleted = idsOf('deleted')
      if (deleted.length > 0) {
        transaction.send(volatile`
          update ${systemTable(branched.overlay)} o set ${raw(BASE)} = to_jsonb(m) from ${publicTable(branched.table)} m
          where ${isOf(id)} and o.id = m.id and o.id = any(${deleted}::bigint[])`)
      }
      const written = new Set((byModel.get(model) ?? []).map((row) => row.id))
      const further = [...(difference.deleted.get(model) ?? [])].filter((deletedId) => !written.has(deletedId))
      if (further.length > 0) {
        transaction.send(volatile`
          insert into ${systemTable(branched.overlay)} (${raw(BRANCH)}, ${raw(DELETED)}, ${raw(BASE)}, id)
          select ${id}::bigint, true, to_jsonb(m), m.id from ${publicTable(branched.table)} m
          where m.id = any(${further}::bigint[])`)
      }
      const updates = fates.flatMap(({ row, fate }) => (fate.kind === 'update' ? [{ row, columns: fate.columns }] : []))
      if (updates.length > 0) transaction.send(updateOf(branched, model, id, updates))
    }
    await setBranch(context, id, { last_sync: now, ...(conflicts.some(isOpen) && { decided: now }) })
    return rows.filter(({ base, main }) => base && (!main || !hasSameVersion(base, main))).length
  })
}

const hasSameVersion = (base: Columns, main: Columns): boolean => hasSameValue(base._since, main._since)

function fateOf({ difference: { created, changed, deleted }, refused }: BranchDifference, row: OverlayRow): Fate {
  const { model, id, base, main, branch } = row
  if (refused.has(keyOf(row))) return { kind: 'drop' }
  if (deleted.get(model)?.has(id)) return { kind: branch ? 'drop' : 'deleted' }
  // An object that main has deleted is restored by the merge, with its parts.
  if (created.get(model)?.has(id)) return { kind: 'stay' }
  if (!main || !base || !branch) return { kind: 'drop' }
  const values = changed.get(model)?.get(id) ?? {}
  const columns: Record<string, Json> = { ...main }
  for (const column of model.columns.values()) {
    const { key, name, field } = column
    const branchValue = branch[name] ?? null
    const edit = values[key]
    const isFree = key === 'id' || isDerived(model, column) || isSaveTime(column) || key.startsWith('_')
    if (field.kind === 'customFields' && typeof edit === 'function') columns[name] = edit(main[name]) as Json
    else if (key in values || (isFree && !hasSameValue(base[name] ?? null, branchValue))) columns[name] = branchValue
  }
  return { kind: 'update', columns }
}

/** The statement that sets the rows of one table to main's with the changes of the branch. */
function updateOf(
  { table, overlay }: BranchedTable,
  model: Model,
  branch: number,
  updates: readonly { readonly row: OverlayRow; readonly columns: Columns }[],
) {
  const names = [...model.columns.values()].flatMap(({ name }) => (name === 'id' ? [] : name))
  return volatile`
    update ${systemTable(overlay)} o set ${join(names.map((name) => sql`${identifier(name)} = p.${identifier(name)}`))},
      ${raw(BASE)} = to_jsonb(m)
    from unnest(${updates.map(({ row }) => row.id)}::bigint[],
        ${updates.map(({ columns }) => JSON.stringify(columns))}::text[]) as q(id, document)
      join ${publicTable(table)} m on m.id = q.id,
      lateral jsonb_populate_record(null::${publicTable(table)}, q.document::jsonb) p
    where ${isOf(branch)} and o.id = q.id and not o.${raw(DELETED)}`
}

/** Statements that drop what the branch has changed in the lists of objects that it no longer changes. */
function dropListChanges(registry: Registry, model: Model, ids: readonly number[], branch: number): readonly Sql[] {
  const lists = listTables(registry).filter((list) => list.model === model)
  const tags = branchedTables(registry).get(registry.model(SYSTEM.taggedItem).table)
  const dropped = lists.map(
    ({ overlay, ownColumn }) => volatile`
      delete from ${systemTable(overlay)} o where ${isOf(branch)} and o.${identifier(ownColumn)} = any(${ids}::bigint[])`,
  )
  if (!tags || model.fields.get('tags')?.kind !== 'tags') return dropped
  return [
    ...dropped,
    volatile`delete from ${systemTable(tags.overlay)} o where ${isOf(branch)}
      and coalesce(o.${raw(BASE)} ->> 'object_type', o.object_type) = ${model.name}
      and coalesce((o.${raw(BASE)} ->> 'object_id')::bigint, o.object_id) = any(${ids}::bigint[])`,
  ]
}
