import { BRANCH, branchedTables } from '../../db/branches/branch-tables.ts'
import { affectedObjects, isAffected, type Touched, tablesOfRules } from '../../read/rules/affected-objects.ts'
import { type CompiledRule, type StoredRule, usableRules } from '../../read/rules/compile-rule.ts'
import type { Registry } from '../../schema/registry.ts'
import { identifier, join, sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable, table } from '../../sql/table.ts'

/** Where a merge of the branch is judged: queries that read main, and those that read the branch. */
interface Places {
  readonly registry: Registry
  readonly main: Queryable
  readonly branch: Queryable
}

/** An object that breaks a rule in the branch, or on main. */
export interface BranchFinding {
  readonly rule: StoredRule
  /** Names of the other models that the rule reads. */
  readonly reads: ReadonlySet<string>
  readonly type: string
  readonly id: number
  /** `caused` by the branch, on main too (`existing`), or only there (`resolved`). */
  readonly state: 'caused' | 'existing' | 'resolved'
}

/** The findings of the objects that the changes of the branch affect. Costs about as much as the branch has changed. */
export async function branchFindings(places: Places, id: number): Promise<readonly BranchFinding[]> {
  const { registry, main } = places
  const rules = await usableRules({ registry, database: main })
  const touched = await touchedInBranch(places, id, tablesOfRules(rules))
  if (touched.size === 0) return []
  const findings: BranchFinding[] = []
  for (const rule of rules) findings.push(...(await findingsOfRule(places, rule, touched)))
  return findings
}

async function findingsOfRule(places: Places, rule: CompiledRule, touched: Touched): Promise<readonly BranchFinding[]> {
  const { registry, main, branch } = places
  // One after the other: both read within one transaction.
  const onMain = await affectedObjects({ registry, database: main }, rule, touched)
  const inBranch = await affectedObjects({ registry, database: branch }, rule, touched)
  const ids = onMain === 'all' || inBranch === 'all' ? 'all' : new Set([...onMain, ...inBranch])
  if (ids !== 'all' && ids.size === 0) return []
  const { model, stored, isBroken, reads } = rule
  const statement = sql`select t.id from ${table(model)} t where ${isAffected(sql`t.id`, ids)} and ${isBroken} order by t.id`
  const before = new Set((await main.queryColumn(statement)).map(Number))
  const after = new Set((await branch.queryColumn(statement)).map(Number))
  return [...new Set([...after, ...before])].map((id) => ({
    ...{ rule: stored, reads, type: model.name, id },
    state: !after.has(id) ? 'resolved' : before.has(id) ? 'existing' : 'caused',
  }))
}

/** The rows that the branch has created, changed or deleted, of these tables. */
async function touchedInBranch({ registry, main }: Places, id: number, tables: ReadonlySet<string>): Promise<Touched> {
  const branched = [...branchedTables(registry).values()].filter((candidate) => tables.has(candidate.table))
  if (branched.length === 0) return new Map()
  const parts = branched.map(({ table: name, overlay, key: [first = 'id', second] }) => {
    const secondKey = second === undefined ? sql`null::bigint` : sql`o.${identifier(second)}`
    return volatile`
      select ${name}::text as name, o.${identifier(first)} as id, ${secondKey} as other
      from ${systemTable(overlay)} o where o.${identifier(BRANCH)} = ${id}::bigint`
  })
  const rows = await main.query<{ name: string; id: number; other: number | null }>(join(parts, ' union all '))
  return new Map(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, list]) => {
      const others = list.flatMap(({ other }) => other ?? [])
      return [name, { ids: new Set(list.map((row) => row.id)), others: new Set(others), numbers: new Set<number>() }]
    }),
  )
}
