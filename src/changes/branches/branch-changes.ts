import { BRANCH, branchedTables } from '../../db/branches/branch-tables.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable } from '../../sql/table.ts'
import { loadChanges, type RecordedChange } from '../recorded-change.ts'

/** The change records of the branch alone, the first one first. `branch`: statements that read the branch. */
export const branchChanges = (branch: Queryable, registry: Registry, id: number): Promise<RecordedChange[]> =>
  loadChanges(branch, isOfBranch(registry, id))

/** Condition that the change record `t` is one of the branch. */
export function isOfBranch(registry: Registry, id: number): Sql {
  const changes = branchedTables(registry).get(registry.model(SYSTEM.objectChange).table)
  if (!changes) throw new Error('The change log has no overlay')
  return sql`t.id in (select o.id from ${systemTable(changes.overlay)} o where o.${identifier(BRANCH)} = ${id}::bigint)`
}
