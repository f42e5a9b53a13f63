import { createHash } from 'node:crypto'
import { boundedName } from '../../schema/bounded-name.ts'
import type { Column } from '../../schema/column.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Registry } from '../../schema/registry.ts'
import { BASE, BRANCH, type BranchedTable, branchedTables, DELETED, ORPHANS } from '../branches/branch-tables.ts'
import { SINCE } from '../versions/versioned-tables.ts'
import {
  branchTriggers,
  completenessFunction,
  completenessName,
  completenessOf,
  ORPHAN_TABLE,
} from './branch-references.ts'
import { pathColumns, pathsFunction, pathsName } from './branch-trees.ts'
import { quoted, quotedList } from './quote.ts'
import type { StoredColumn, StoredIndex, StoredPart, StoredSchema, StoredTable } from './stored-schema.ts'

type Tables = Readonly<Record<string, StoredTable>>

/** What branches need in addition to the tables that models declare. */
interface BranchSchema {
  readonly tables: Readonly<Record<string, StoredTable>>
  readonly indexes: Readonly<Record<string, StoredIndex>>
  readonly triggers: Readonly<Record<string, StoredPart>>
  readonly views: Readonly<Record<string, string>>
}

/** Overlays for the declared tables, and digests of the views over both. */
export function branchesOf(registry: Registry, declared: Tables): BranchSchema {
  const tables: Record<string, StoredTable> = {}
  const indexes: Record<string, StoredIndex> = {}
  for (const branched of branchedTables(registry).values()) {
    const current = declared[branched.table]
    if (!current) continue
    tables[branched.overlay] = overlayOf(branched, current)
    Object.assign(indexes, relationsOf(registry, branched))
  }
  if (Object.keys(declared).length === 0) return { tables, indexes, triggers: {}, views: {} }
  tables[ORPHANS] = ORPHAN_TABLE
  const views = [...branchViews(declared, registry)].map(([table, text]) => [table, digestOf(text)] as const)
  return { tables, indexes, triggers: branchTriggers(registry, declared), views: Object.fromEntries(views) }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/**
 * Indexes by which joins find rows of an overlay as they find those of main. They need none for sorting, since a few
 * rows are sorted fast.
 */
function relationsOf(registry: Registry, { overlay, model, key }: BranchedTable): Record<string, StoredIndex> {
  const isRelation = ({ field, type }: Column) =>
    field.kind === 'foreignKey' || (field.kind === 'genericForeignKey' && type !== 'text')
  const columns =
    key.length > 1 ? key : [...registry.model(model).columns.values()].filter(isRelation).map(({ name }) => name)
  return Object.fromEntries(
    columns.map((column) => [
      boundedName(overlay, column, 'index'),
      { table: overlay, unique: false, definition: `(${quotedList([BRANCH, column])})` },
    ]),
  )
}

function overlayOf({ key }: BranchedTable, { columns, owner }: StoredTable): StoredTable {
  const overlayColumns = ownColumns(columns).map(([name, { identity: _, default: __, ...column }]) => [
    name,
    { ...column, nullable: !key.includes(name) },
  ])
  return {
    columns: {
      [BRANCH]: { type: 'bigint', nullable: false },
      [DELETED]: { type: 'boolean', nullable: false, default: 'false' },
      [BASE]: { type: 'jsonb', nullable: true },
      ...Object.fromEntries(overlayColumns),
    },
    primaryKey: [BRANCH, ...key],
    ...(owner !== undefined && { owner }),
  }
}

/** The number of a row's version belongs to the history of main. */
const ownColumns = (columns: StoredTable['columns']): readonly (readonly [string, StoredColumn])[] =>
  Object.entries(columns).filter(([name]) => name !== SINCE)

/**
 * The views through which branches read and write, to be dropped before tables change, because they prevent changes of
 * columns, and created again afterwards.
 */
export interface BranchViews {
  readonly drop: string
  readonly create: string
}

/**
 * The views that differ from the stored ones, or that read a table with altered columns; all if `stored` is undefined.
 * A new field of a custom model must not wait until the views of all tables have been created again.
 */
export function changedBranchViews(
  registry: Registry,
  { tables, views = {} }: StoredSchema,
  stored: StoredSchema['views'],
  altered: readonly string[],
): BranchViews {
  const all = branchViews(tables, registry)
  const branched = [...branchedTables(registry).values()].filter(({ table }) => all.has(table))
  const discard = discardFunction(branched.map(({ overlay }) => overlay))
  if (!stored) {
    return {
      drop: 'drop schema if exists branch cascade',
      create: ['create schema branch', ...all.values(), discard].join(';\n'),
    }
  }
  const names = altered.map(quoted)
  const outdated = [...new Set([...Object.keys(stored), ...all.keys()])].filter(
    (table) => stored[table] !== views[table] || names.some((name) => all.get(table)?.includes(name)),
  )
  const created = outdated.flatMap((table) => all.get(table) ?? [])
  return { drop: outdated.flatMap(dropsOf).join(';\n'), create: [...created, discard].join(';\n') }
}

const dropsOf = (table: string): readonly string[] => [
  `drop view if exists branch.${quoted(table)}`,
  `drop function if exists ${[writerName(table), completenessName(table), pathsName(table)].join(', ')}`,
]

/** The function that deletes all rows of a branch. */
const discardFunction = (overlays: readonly string[]): string =>
  `create or replace function branch.discard(_discarded bigint) returns void language sql as $$
    ${[ORPHANS, ...overlays].map((name) => `delete from public.${quoted(name)} where ${BRANCH} = _discarded`).join(';\n')}
  $$`

/**
 * Statements that create, for each table, a view of the same name in the schema `branch`, which shows main's rows,
 * replaced with those of the current branch where it has changed them, and whose trigger writes to the overlay. A
 * transaction in a branch puts the schema first in its search path, so that every statement works in a branch without a
 * change.
 */
const branchViews = oncePer((declared: Tables, registry: Registry): ReadonlyMap<string, string> => {
  const tables = [...branchedTables(registry).values()].flatMap((branched) => {
    const stored = declared[branched.table]
    if (!stored) return []
    const statements = [
      ...completenessFunction(registry, branched, stored),
      ...pathsFunction(registry, branched, CURRENT),
      viewOf(registry, branched, stored),
      ...defaultsOf(branched, stored),
      ...writerOf(branched, stored),
    ]
    return [[branched.table, statements.join(';\n')] as const]
  })
  return new Map(tables)
})

/** Id of the branch that the transaction works in. */
const CURRENT = `(select current_setting('cadastre.branch')::bigint)`

/**
 * The condition is outside of the union: PostgreSQL pushes it into both parts and merges them by their indexes. A row
 * of main is looked up in the list of rows that the branch replaces, which is computed once per statement.
 */
function viewOf(registry: Registry, branched: BranchedTable, stored: StoredTable): string {
  const { table, overlay, key, counters } = branched
  const paths = pathColumns(registry, branched)
  const counted = new Map(counters.map((counter) => [counter.name, counter]))
  const names = Object.keys(stored.columns)
  const keys = (alias: string) => `(${key.map((name) => `${alias}.${quoted(name)}`).join(', ')})`
  const selected = names.map((name) => {
    const counter = counted.get(name)
    const difference = counter && differenceOf(registry, counter.counted, counter.column)
    if (difference === undefined) return paths.get(name) ?? `v.${quoted(name)}`
    return `v.${quoted(name)} + coalesce(((${difference}) ->> v.id::text)::bigint, 0) as ${quoted(name)}`
  })
  const overlaid = names.map((name) => {
    if (name === SINCE) return `0::bigint`
    if (!counted.has(name)) return `r.${quoted(name)}`
    return `coalesce((select m.${quoted(name)} from public.${quoted(table)} m where m.id = r.id), 0)`
  })
  const isComplete = completenessOf(registry, table, CURRENT)
  return `create view branch.${quoted(table)} as select ${selected.join(', ')} from (
    select ${quotedList(names)}, 0::bigint as ${BRANCH}, false as ${DELETED} from public.${quoted(table)}
    union all select ${overlaid.join(', ')}, r.${BRANCH}, r.${DELETED} from public.${quoted(overlay)} r
  ) v where v.${BRANCH} in (0, ${CURRENT}) and case when v.${BRANCH} = 0
    then ${keys('v')} not in (select ${quotedList(key)} from public.${quoted(overlay)} o where o.${BRANCH} = ${CURRENT})${isComplete === undefined ? '' : ` and ${isComplete}`}
    else v.${BRANCH} = ${CURRENT} and not v.${DELETED} end`
}

/**
 * The difference in the number of rows between branch and main, as an object by the id that they refer to. It is
 * computed once for each statement that reads the counter; a join would forbid `for update`. Undefined if branches
 * share the counted rows.
 */
function differenceOf(registry: Registry, counted: string, column: string): string | undefined {
  const branched = branchedTables(registry).get(counted)
  if (!branched) return undefined
  const reference = quoted(column)
  const overlay = `public.${quoted(branched.overlay)} r`
  return `select jsonb_object_agg(y.id, y.n) from (
    select x.id, sum(x.n) as n from (
      select r.${reference} as id, 1 as n from ${overlay} where r.${BRANCH} = ${CURRENT} and not r.${DELETED}
      union all select m.${reference}, -1 from ${overlay} join public.${quoted(counted)} m on m.id = r.id where r.${BRANCH} = ${CURRENT}
    ) x where x.id is not null group by x.id) y`
}

/** The statement that gives the view the defaults of the table. */
function defaultsOf({ table }: BranchedTable, { columns }: StoredTable): readonly string[] {
  const actions = Object.entries(columns).flatMap(([name, column]) => {
    if (name === SINCE) return []
    const value = column.identity
      ? `nextval(pg_get_serial_sequence('public.${quoted(table)}', '${name}'))`
      : column.default
    return value === undefined ? [] : [`alter column ${quoted(name)} set default ${value}`]
  })
  return actions.length > 0 ? [`alter table branch.${quoted(table)} ${actions.join(', ')}`] : []
}

/** Name of the function that writes a row of the table to its overlay. */
const writerName = (table: string): string => `branch.${quoted(boundedName(table, 'write'))}`

/**
 * The function that writes one row to the overlay, and its trigger. Counters are computed, so a change of counters
 * alone writes nothing here.
 */
function writerOf({ table, overlay, key, counters }: BranchedTable, { columns }: StoredTable): readonly string[] {
  const names = ownColumns(columns).map(([name]) => name)
  const counted = new Set(counters.map(({ name }) => name))
  const compared = names.filter((name) => !counted.has(name))
  const values = (row: string, some: readonly string[]) => some.map((name) => `${row}.${quoted(name)}`).join(', ')
  const comparable = (row: string) =>
    compared.map((name) => `${row}.${quoted(name)}${columns[name]?.type === 'json' ? '::text' : ''}`).join(', ')
  const isRow = (alias: string, row: string) =>
    key.map((name) => `${alias}.${quoted(name)} = ${row}.${quoted(name)}`).join(' and ')
  const into = `public.${quoted(overlay)}`
  const main = (row: string) => `(select to_jsonb(m) from public.${quoted(table)} m where ${isRow('m', row)})`
  const target = `(${quotedList([BRANCH, ...key])})`
  const assigned = names
    .filter((name) => !key.includes(name))
    .map((name) => `${quoted(name)} = excluded.${quoted(name)}`)
  const put = (row: string) => `insert into ${into} (${quotedList([BRANCH, BASE, ...names])})
      values (${CURRENT}, ${main(row)}, ${values('new', names)})
      on conflict ${target} do update set ${[`${DELETED} = false`, ...assigned].join(', ')}`
  const writer = writerName(table)
  return [
    `create function ${writer}() returns trigger language plpgsql as $$ begin
      if tg_op = 'INSERT' then ${put('new')}; return new; end if;
      if tg_op = 'UPDATE' then
        if (${comparable('new')}) is distinct from (${comparable('old')}) then ${put('old')}; end if;
        return new;
      end if;
      delete from ${into} o where o.${BRANCH} = ${CURRENT} and ${isRow('o', 'old')} and o.${BASE} is null;
      if not found then
        insert into ${into} (${quotedList([BRANCH, DELETED, BASE, ...key])})
        values (${CURRENT}, true, ${main('old')}, ${values('old', key)})
        on conflict ${target} do update set ${DELETED} = true;
      end if;
      return old;
    end $$`,
    `create trigger write instead of insert or update or delete on branch.${quoted(table)} for each row execute function ${writer}()`,
  ]
}
