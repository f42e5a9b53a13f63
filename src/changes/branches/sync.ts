import { requireOpen } from '../../db/branches/branch-database.ts'
import { BASE, BRANCH, type BranchedTable, branchedTables, DELETED } from '../../db/branches/branch-tables.ts'
import { versionedTables } from '../../db/versions/versioned-tables.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { identifier, join, raw, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { systemTable } from '../../sql/table.ts'
import { runWrite } from '../../write/run.ts'
import {
  behindRows,
  conflictsOf,
  isBehind,
  publicTable,
  type Resolutions,
  recordedTables,
  WHOLE,
} from './branch-conflicts.ts'
import { type BranchRequest, resolutionsOf, setBranch, UnresolvedConflicts } from './merge.ts'

/**
 * Brings the rows of the branch up to date with main: each field that the branch has not changed gets main's present
 * value. Returns the number of updated rows. Throws UnresolvedConflicts, unless the branch's values are confirmed.
 */
export async function synchronizeBranch(
  service: Service,
  { id }: { readonly id: number },
  request: BranchRequest,
): Promise<number> {
  const { registry } = service
  return await runWrite(service, request, async (context) => {
    const { transaction, now } = context
    await requireOpen(transaction, id)
    const resolutions = await resolutionsOf(context, id)
    const rows = await behindRows(transaction, registry, id)
    const conflicts = conflictsOf(rows, resolutions)
    if (conflicts.length > 0 && !request.isConfirmed) throw new UnresolvedConflicts(conflicts)
    for (const branched of branchedTables(registry).values()) {
      // Rows of join tables are only inserted and deleted, and versions of rows without history are not known.
      if (branched.key.length > 1 || !versionedTables(registry).has(branched.table)) continue
      for (const statement of updatesOf(registry, branched, id, resolutions)) transaction.send(statement)
    }
    await setBranch(context, id, { last_sync: now })
    return rows.length
  })
}

/** Statements for the outdated rows of one table: main's deletions first, then its values. */
function updatesOf(
  registry: Registry,
  branched: BranchedTable,
  branch: number,
  resolutions: Resolutions,
): readonly Sql[] {
  const { table, overlay, model: name, counters } = branched
  const model = registry.model(name)
  const recorded = recordedTables(registry).includes(branched)
  const kept = recorded ? resolvedFor(name, resolutions) : []
  const theirs = kept.map(({ id, field }) => `${id} ${field}`)
  const counted = new Set(counters.map((counter) => counter.name))
  const columns = [...model.columns.values()].filter((column) => column.name !== 'id' && !counted.has(column.name))
  const assignments = columns.map(({ name: column, key, type }) => {
    const of = (alias: string) => sql`(s.${raw(alias)}).${identifier(column)}`
    const text = type === 'json' ? sql`::text` : sql``
    const isOwn = sql`o.${identifier(column)}${text} is distinct from ${of('base')}${text}
      and not (o.id || ' ' || ${key}::text) = any(${theirs}::text[])`
    return sql`${identifier(column)} = case when ${isOwn} then o.${identifier(column)} else ${of('main')} end`
  })
  const isOfBranch = sql`o.${raw(BRANCH)} = ${branch}::bigint`
  const dropped = kept.flatMap(({ id, field }) => (field === WHOLE ? [id] : []))
  return [
    // Rows deleted on main are deleted in the branch too; if main's object is to be kept, the branch's deletion is
    // dropped.
    volatile`delete from ${systemTable(overlay)} o where ${isOfBranch} and o.${raw(BASE)} is not null
      and (not exists (select from ${publicTable(table)} m where m.id = o.id) or o.id = any(${dropped}::bigint[]))`,
    volatile`
      with s as (
        select r.id, m as main, jsonb_populate_record(null::${publicTable(table)}, r.${raw(BASE)}) as base
        from ${systemTable(overlay)} r join ${publicTable(table)} m on m.id = r.id
        where r.${raw(BRANCH)} = ${branch}::bigint and ${isBehind('r')})
      update ${systemTable(overlay)} o set ${join([...assignments, sql`${raw(BASE)} = to_jsonb(s.main)`])}
      from s where ${isOfBranch} and o.id = s.id and not o.${raw(DELETED)}`,
    volatile`
      update ${systemTable(overlay)} o set ${raw(BASE)} = to_jsonb(m) from ${publicTable(table)} m
      where ${isOfBranch} and o.id = m.id and o.${raw(DELETED)}`,
  ]
}

/** The fields of the model's objects that take main's values. */
const resolvedFor = (
  name: string,
  resolutions: Resolutions,
): readonly { readonly id: number; readonly field: string }[] =>
  Object.entries(resolutions).flatMap(([key, fields]) => {
    const [type, id] = key.split(' ')
    if (type !== name) return []
    return Object.entries(fields).flatMap(([field, side]) => (side === 'theirs' ? [{ id: Number(id), field }] : []))
  })
