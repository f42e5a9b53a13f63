import { BRANCH, branchedTables } from '../../db/branches/branch-tables.ts'
import type { Database } from '../../db/database.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, raw, sql } from '../../sql/fragment.ts'
import { systemTable, table } from '../../sql/table.ts'
import { counted } from '../../transfer/backup/counted.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Checks that each row of a branch belongs to a branch that exists. */
export async function checkBranches(database: Database, registry: Registry): Promise<Finding> {
  const parts = [...branchedTables(registry).values()].map(
    ({ overlay }) => sql`
      select ${overlay}::text as name, count(*) as count from ${systemTable(overlay)} o
      where not exists (select from ${table(SYSTEM.branch)} b where b.id = o.${raw(BRANCH)})`,
  )
  const rows = await database.query<{ name: string; count: number }>(
    sql`select * from (${join(parts, ' union all ')}) counted where count > 0`,
  )
  const [branches] = await database.query<{ count: number }>(
    sql`select count(*) as count from ${table(SYSTEM.branch)} where status = 'ready'`,
  )
  if (rows.length === 0)
    return ok('branches', `${counted(Number(branches?.count ?? 0), 'branch is', 'branches are')} open.`)
  const lost = rows.map(({ name, count }) => `${counted(Number(count), 'row')} of ${name}`)
  return warning(
    'branches',
    `Rows belong to branches that do not exist: ${lost.join(', ')}.`,
    'They were deleted by hand. The rows do no harm.',
  )
}
