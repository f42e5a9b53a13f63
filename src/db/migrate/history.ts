import { boundedName } from '../../schema/bounded-name.ts'
import type { Registry } from '../../schema/registry.ts'
import { volatile } from '../../sql/fragment.ts'
import { systemTable } from '../../sql/table.ts'
import type { Transaction } from '../database.ts'
import { NUMBER_FUNCTION, recordTimestamp, TIMESTAMP_TABLE } from '../versions/number.ts'
import { SINCE, UNTIL, type VersionedTable, versionedTables } from '../versions/versioned-tables.ts'
import { indexesOf } from './indexes.ts'
import { quoted, quotedList } from './quote.ts'
import type { StoredColumn, StoredIndex, StoredPart, StoredTable } from './stored-schema.ts'

/** Tables, columns, indexes and triggers in addition to those that models declare. */
interface HistorySchema {
  readonly tables: Readonly<Record<string, StoredTable>>
  readonly indexes: Readonly<Record<string, StoredIndex>>
  readonly triggers: Readonly<Record<string, StoredPart>>
}

const NUMBER: StoredColumn = { type: 'bigint', nullable: false, default: '0' }

/** The table of transactions that wrote versions. */
const TIMESTAMPS: StoredTable = {
  columns: {
    number: { type: 'bigint', nullable: false },
    time: { type: 'timestamptz', nullable: false },
    begun: { type: 'timestamptz', nullable: false },
    lowest: { type: 'bigint', nullable: false },
  },
  primaryKey: ['number'],
}

/**
 * The tables of past versions, the column of current ones, and the triggers that write both, for these declared tables and
 * indexes.
 */
export function historyOf(
  registry: Registry,
  declared: Readonly<Record<string, StoredTable>>,
  indexes: Readonly<Record<string, StoredIndex>>,
): HistorySchema {
  const tables: Record<string, StoredTable> = { [TIMESTAMP_TABLE]: TIMESTAMPS }
  const added: Record<string, StoredIndex> = {
    [`${TIMESTAMP_TABLE}_time`]: { table: TIMESTAMP_TABLE, unique: false, definition: '("time")' },
  }
  const triggers: Record<string, StoredPart> = {}
  const indexesByTable = Map.groupBy(Object.entries(indexes), ([, { table }]) => table)
  for (const versioned of versionedTables(registry).values()) {
    const { table, past } = versioned
    const current = declared[table]
    if (!current) continue
    tables[table] = withNumbers(versioned, current.columns, current, [SINCE])
    tables[past] = pastTable(versioned, current)
    triggers[table] = { table, definition: triggersOf(versioned, current) }
    Object.assign(added, pastIndexes(registry, versioned, indexesByTable.get(table) ?? []))
  }
  return { tables, indexes: added, triggers }
}

/**
 * The table with the columns for numbers directly after its key: each read of the past uses them, and PostgreSQL finds
 * the first columns fastest.
 */
function withNumbers(
  { key }: VersionedTable,
  columns: StoredTable['columns'],
  { primaryKey, owner, generic }: StoredTable,
  numbers: readonly string[],
): StoredTable {
  const keys = Object.entries(columns).filter(([name]) => key.includes(name))
  return {
    columns: {
      ...Object.fromEntries(keys),
      ...Object.fromEntries(numbers.map((name) => [name, NUMBER])),
      ...columns,
    },
    primaryKey,
    ...(owner !== undefined && { owner }),
    ...(generic && { generic }),
  }
}

/**
 * Indexes by which past versions are found: the order of lists, in which PostgreSQL merges current rows and past
 * versions, and relations. Indexes for parts of texts and of networks would slow down writes more than they help.
 */
function pastIndexes(
  registry: Registry,
  { table, past, model, key }: VersionedTable,
  declared: readonly (readonly [string, StoredIndex])[],
): Record<string, StoredIndex> {
  const isOfModel = key.length === 1
  const indexes = isOfModel ? Object.entries(indexesOf(registry.model(model), [])) : declared
  return Object.fromEntries(
    indexes.flatMap(([name, index]) =>
      index.definition.startsWith('using')
        ? []
        : [[boundedName(past, name.replace(`${table}_`, '')), { ...index, table: past }]],
    ),
  )
}

function pastTable(versioned: VersionedTable, current: StoredTable): StoredTable {
  const { columns, key } = versioned
  // Past versions do not protect the objects to which they refer.
  const { columns: all, generic: _generic, ...definition } = current
  const stored = columns.flatMap(({ name }) => {
    const column = all[name]
    if (!column) return []
    const { identity: _, ...plain } = column
    return [[name, { ...plain, nullable: plain.nullable || !key.includes(name) }] as const]
  })
  const table = { ...definition, columns: all, primaryKey: [...key, SINCE] }
  return withNumbers(versioned, Object.fromEntries(stored), table, [SINCE, UNTIL])
}

/**
 * Statements that create the triggers, or replace them. An update gives the row the transaction's number if a column
 * with history changes. Then the replaced or deleted versions are stored. A version that its own transaction replaces
 * has never been visible to other transactions and is not stored.
 */
function triggersOf({ table, past, key, columns }: VersionedTable, stored: StoredTable): string {
  const names = columns.map(({ name }) => name)
  const [stamp, keep] = [boundedName(table, 'stamp'), boundedName(table, 'keep')]
  const into = `insert into public.${quoted(past)} (${quotedList([...names, SINCE, UNTIL])})`
  const versions = `select ${quotedList([...names, SINCE])}, _number from replaced o where o.${SINCE} <> _number`
  const isSameRow = key.map((name) => `t.${quoted(name)} = o.${quoted(name)}`).join(' and ')
  const values = (row: string) => names.map((name) => comparable(row, name, stored.columns[name]?.type)).join(', ')
  const body = (statement: string) =>
    `as $$ declare _number bigint := ${NUMBER_FUNCTION}(); begin ${statement}; return null; end $$`
  const on = (name: string, when: string, how: string): readonly string[] => [
    `drop trigger if exists ${quoted(name)} on ${quoted(table)}`,
    `create trigger ${quoted(name)} ${when} on ${quoted(table)} ${how}`,
  ]
  const asFunction = (name: string) => `create or replace function ${quoted(name)}() returns trigger language plpgsql`
  const deleted = boundedName(table, 'gone')
  const forEachStatement = (name: string) => `for each statement execute function ${quoted(name)}()`
  const onUpdate = [
    `${asFunction(stamp)} as $$ begin new.${SINCE} := ${NUMBER_FUNCTION}(); return new; end $$`,
    ...on(
      stamp,
      'before update',
      `for each row when ((${values('old')}) is distinct from (${values('new')})) execute function ${quoted(stamp)}()`,
    ),
    `${asFunction(keep)} ${body(`${into} ${versions} and exists (select from public.${quoted(table)} t where ${isSameRow} and t.${SINCE} = _number)`)}`,
    ...on(keep, 'after update', `referencing old table as replaced ${forEachStatement(keep)}`),
  ]
  return [
    `alter table ${quoted(table)} alter column ${SINCE} set default ${NUMBER_FUNCTION}()`,
    // Rows of join tables are only inserted and deleted.
    ...(names.length === key.length ? [] : onUpdate),
    `${asFunction(deleted)} ${body(`${into} ${versions}`)}`,
    ...on(deleted, 'after delete', `referencing old table as replaced ${forEachStatement(deleted)}`),
  ].join(';\n')
}

/** PostgreSQL cannot compare values of the type json. */
const comparable = (row: string, name: string, type: string | undefined): string =>
  `${row}.${quoted(name)}${type === 'json' ? '::text' : ''}`

/** Text of the statement that defines the function: PostgreSQL's own number of the transaction, and a constant. */
const numberFunction = (offset: number): string => `
  create or replace function ${NUMBER_FUNCTION}() returns bigint language sql
  as 'select pg_current_xact_id()::text::bigint + (${Math.trunc(offset)})'`

/**
 * Creates the function of numbers before tables refer to it. In a database that was restored on another server, the
 * numbers continue after those in use.
 */
export async function defineNumbers(transaction: Transaction): Promise<void> {
  const [lookup] = await transaction.query<{
    timestamps: string | null
    defined: boolean
  }>(volatile`
    select to_regclass(${TIMESTAMP_TABLE})::text as timestamps,
      exists (select from ${systemTable('pg_proc')} where proname = ${NUMBER_FUNCTION}) as defined`)
  if (lookup?.defined !== true) await transaction.script(numberFunction(0))
  if (lookup?.timestamps == null) return
  const [row] = await transaction.query<{ is_used: boolean; offset: number }>(volatile`
    select coalesce(max(number), 0) >= cadastre_number() as is_used,
      coalesce(max(number), 0) + 1 - pg_current_xact_id()::text::bigint as offset
    from ${systemTable(TIMESTAMP_TABLE)}`)
  if (row?.is_used) await transaction.script(numberFunction(row.offset))
}

/** Starts the history of a database that has none with this transaction. */
export async function beginHistory(transaction: Transaction): Promise<void> {
  const rows = await transaction.queryArrays(volatile`select from ${systemTable(TIMESTAMP_TABLE)} limit 1`)
  if (rows.length === 0) await transaction.execute(recordTimestamp)
}
