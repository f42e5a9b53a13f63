import { BRANCH, branchedTables } from '../../db/branches/branch-tables.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable } from '../../sql/table.ts'
import { loadChanges, type RecordedChange } from '../records/recorded-change.ts'

/**
 * The change records of the branch itself for which the condition holds, the oldest first. `branch`: statements that
 * read the branch.
 */
export const branchChanges = (
  branch: Queryable,
  registry: Registry,
  id: number,
  condition: Sql = sql`true`,
): Promise<RecordedChange[]> => loadChanges(branch, sql`${isOfBranch(registry, id)} and ${condition}`)

/**
 * Numbers of the objects that the branches have changed, by the id of the branch; branches without changes are missing.
 * Objects that a branch has created and deleted again do not count. `service`: that of main.
 */
export async function changedObjects(
  { database, registry }: Service,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await database.query<{ id: number; count: number }>(sql`
    select id, count(*) as count from (
      select o.${identifier(BRANCH)} as id,
        bool_or(o.action = 'create') and (array_agg(o.action order by o.id desc))[1] = 'delete' as is_gone
      from ${systemTable(overlayOfChanges(registry))} o where o.${identifier(BRANCH)} = any(${ids}::bigint[])
      group by 1, o.changed_object_type, o.changed_object_id
    ) changed where not is_gone group by 1`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Condition that the change record `t` belongs to the branch. */
export const isOfBranch = (registry: Registry, id: number): Sql =>
  sql`t.id in (select o.id from ${systemTable(overlayOfChanges(registry))} o where o.${identifier(BRANCH)} = ${id}::bigint)`

/** Name of the table with the change records of branches. */
export function overlayOfChanges(registry: Registry): string {
  const changes = branchedTables(registry).get(registry.model(SYSTEM.objectChange).table)
  if (!changes) throw new Error('The change log has no overlay')
  return changes.overlay
}
