import { boundedName } from '../../schema/bounded-name.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { OPEN } from '../branches/branch-database.ts'
import { BASE, BRANCH, type BranchedTable, branchedTables, DELETED, ORPHANS } from '../branches/branch-tables.ts'
import { type RequiredReference, requiredReferences } from '../branches/required-references.ts'
import { SINCE } from '../versions/versioned-tables.ts'
import { literal, quoted, quotedList } from './quote.ts'
import type { StoredColumn, StoredPart, StoredTable } from './stored-schema.ts'

const referencesFrom = (registry: Registry, table: string) =>
  requiredReferences(registry).filter(({ from }) => from.table === table)

/**
 * The table of main's rows that refer to what a branch has deleted, written by triggers. Views of the branch look at
 * the references of these rows only.
 */
export const ORPHAN_TABLE: StoredTable = {
  columns: {
    [BRANCH]: { type: 'bigint', nullable: false },
    table: { type: 'text', nullable: false },
    id: { type: 'bigint', nullable: false },
  },
  primaryKey: ['table', 'id', BRANCH],
}

/** Triggers on main's tables that keep the open branches consistent. */
export function branchTriggers(
  registry: Registry,
  declared: Readonly<Record<string, StoredTable>>,
): Readonly<Record<string, StoredPart>> {
  if (!registry.models.has(SYSTEM.branch)) return {}
  const branches = registry.model(SYSTEM.branch).table
  return Object.fromEntries(
    [...branchedTables(registry).values()].flatMap((branched) => {
      const stored = declared[branched.table]
      if (!stored) return []
      const isOpen = `exists (select from public.${quoted(branches)} where status = ${literal(OPEN)})`
      const statements = [
        ...orphanTriggers(branched, referencesFrom(registry, branched.table), branches, isOpen),
        ...keepingTrigger(
          branched,
          stored,
          requiredReferences(registry).filter(({ to }) => to === branched),
          branches,
          isOpen,
        ),
      ]
      if (statements.length === 0) return []
      const trigger = { table: branched.table, definition: statements.join(';\n') }
      return [[`${branched.table} in branches`, trigger] as const]
    }),
  )
}

const statementTrigger = (table: string, name: string, when: string, body: string): readonly string[] => [
  `create or replace function ${quoted(name)}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `drop trigger if exists ${quoted(name)} on ${quoted(table)}`,
  `create trigger ${quoted(name)} ${when} for each statement execute function ${quoted(name)}()`,
]

const isRowOf = ({ type, to }: RequiredReference, row: string): string =>
  type === undefined ? 'true' : `${row}.${quoted(type)} = ${literal(to.model)}`

/** Notes new rows, and rows with other references, that refer to what an open branch does not have. */
function orphanTriggers(
  { table }: BranchedTable,
  references: readonly RequiredReference[],
  branches: string,
  isOpen: string,
): readonly string[] {
  if (references.length === 0) return []
  const columns = [
    ...new Set(references.flatMap(({ type, column }) => [column, ...(type === undefined ? [] : [type])])),
  ]
  const note = (rows: string) => {
    const parts = references.map(
      (reference) => `
        select b.id, n.id from ${rows} n join public.${quoted(branches)} b on b.status = ${literal(OPEN)}
        where ${isRowOf(reference, 'n')} and (exists (
            select from public.${quoted(reference.to.overlay)} o
            where o.${BRANCH} = b.id and o.id = n.${quoted(reference.column)} and o.${DELETED})
          or exists (
            select from public.${quoted(ORPHANS)} o
            where o."table" = ${literal(reference.to.table)} and o.id = n.${quoted(reference.column)} and o.${BRANCH} = b.id))`,
    )
    return `if ${isOpen} then
      insert into public.${quoted(ORPHANS)} (${BRANCH}, id, "table")
      select x.branch, x.id, ${literal(table)} from (${parts.join(' union ')}) x (branch, id) on conflict do nothing; end if;`
  }
  const values = (row: string) => columns.map((name) => `${row}.${quoted(name)}`).join(', ')
  const moved = `(select w.* from written w join replaced r on r.id = w.id
    where (${values('w')}) is distinct from (${values('r')}))`
  const [added, changed] = [boundedName(table, 'orphans_added'), boundedName(table, 'orphans_moved')]
  return [
    ...statementTrigger(
      table,
      added,
      `after insert on ${quoted(table)} referencing new table as written`,
      note('written'),
    ),
    ...statementTrigger(
      table,
      changed,
      `after update on ${quoted(table)} referencing new table as written old table as replaced`,
      note(moved),
    ),
  ]
}

/** Copies rows that main deletes to the open branches whose own rows need them: they stay there. */
function keepingTrigger(
  { table, overlay }: BranchedTable,
  { columns }: StoredTable,
  references: readonly RequiredReference[],
  branches: string,
  isOpen: string,
): readonly string[] {
  if (references.length === 0) return []
  const names = Object.keys(columns).filter((name) => name !== SINCE)
  const needed = references.map(
    (reference) => `
      select b.id, o.${quoted(reference.column)} from public.${quoted(branches)} b
        join public.${quoted(reference.from.overlay)} o on o.${BRANCH} = b.id
      where b.status = ${literal(OPEN)} and o.${quoted(reference.column)} in (select r.id from replaced r)
        and ${isRowOf(reference, 'o')} and not o.${DELETED}`,
  )
  return statementTrigger(
    table,
    boundedName(table, 'kept_in_branches'),
    `after delete on ${quoted(table)} referencing old table as replaced`,
    `if ${isOpen} then
      insert into public.${quoted(overlay)} (${BRANCH}, ${BASE}, ${quotedList(names)})
      select n.branch, to_jsonb(r), ${names.map((name) => `r.${quoted(name)}`).join(', ')}
      from (${needed.join(' union ')}) n (branch, id) join replaced r on r.id = n.id
      on conflict do nothing; end if;`,
  )
}

/** Name of the function that tells whether the references of a row lead to objects that the branch has. */
export const completenessName = (table: string) => `branch.${quoted(boundedName(table, 'is_complete'))}`

/**
 * Condition that the branch has what the row `v` of main needs; undefined if it needs nothing. A function checks it, so that
 * statements are planned without the views of all targets.
 */
export function completenessOf(registry: Registry, table: string, current: string): string | undefined {
  const references = referencesFrom(registry, table)
  if (references.length === 0) return undefined
  const args = argumentsOf(references).map((name) => `v.${quoted(name)}`)
  return `(v.id not in (select o.id from public.${quoted(ORPHANS)} o
      where o."table" = ${literal(table)} and o.${BRANCH} = ${current})
    or ${completenessName(table)}(${args.join(', ')}))`
}

/** The statement that defines the function. */
export function completenessFunction(
  registry: Registry,
  { table }: BranchedTable,
  { columns }: StoredTable,
): readonly string[] {
  const references = referencesFrom(registry, table)
  if (references.length === 0) return []
  const names = argumentsOf(references)
  const typed = names.map((name) => columns[name]).filter((column): column is StoredColumn => column !== undefined)
  const value = (name: string) => `$${names.indexOf(name) + 1}`
  const checks = references.map(({ column, type, to }) => {
    const exists = `exists (select from branch.${quoted(to.table)} p where p.id = ${value(column)})`
    return type === undefined
      ? `(${value(column)} is null or ${exists})`
      : `(${value(type)} is distinct from ${literal(to.model)} or ${exists})`
  })
  return [
    `create function ${completenessName(table)}(${typed.map(({ type }) => type).join(', ')})
      returns boolean language plpgsql stable as $$ begin return ${checks.join(' and ')}; end $$`,
  ]
}

const argumentsOf = (references: readonly RequiredReference[]): readonly string[] => [
  ...new Set(references.flatMap(({ column, type }) => (type === undefined ? column : [column, type]))),
]
