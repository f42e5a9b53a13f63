import type { Registry } from '../schema/registry.ts'
import { empty, identifier, join, raw, type Sql, sql } from '../sql/fragment.ts'
import { tableName } from '../sql/table.ts'
import {
  SINCE,
  UNTIL,
  type VersionedColumn,
  type VersionedTable,
  versionedTables,
} from './versioned-tables.ts'

/** The transactions that had been committed at a point in time: those with numbers below `below`, and `others`. */
export interface CommittedTransactions {
  readonly below: number
  readonly others: readonly number[]
}

/** The query over the tables as they were when exactly these transactions had been committed. Tables without history are read as they are. */
export function pastStatement(
  registry: Registry,
  committed: CommittedTransactions,
  statement: Sql,
): Sql {
  const versioned = versionedTables(registry)
  const definitions = statement.tables.flatMap((name) => {
    const table = versioned.get(name)
    return table
      ? [
          sql`${tableName(name)} as not materialized (${rowsAt(versioned, table, committed, statement.text)})`,
        ]
      : []
  })
  // The statement may begin with definitions of its own, which refer to these.
  return definitions.length === 0
    ? statement
    : sql`with ${join(definitions)} select * from (${statement}) past`
}

type Tables = ReadonlyMap<string, VersionedTable>

/** `text`: the statement that reads the table. Columns that it does not name are left out, which halves the time of planning it. */
function rowsAt(
  tables: Tables,
  table: VersionedTable,
  committed: CommittedTransactions,
  text: string,
): Sql {
  const counters = table.counters
    .filter(({ name }) => text.includes(name))
    .map(({ name, counted, column }) => {
      const other = tables.get(counted)
      const rows = other ? versionsWith(other, ({ name }) => name === column) : stored(counted)
      const wasThere = other ? sql` and ${isValid('c', committed)}` : empty
      const refersHere = sql`c.${identifier(column)} = v.id`
      return sql`(select count(*) from ${rows} c where ${refersHere}${wasThere}) as ${identifier(name)}`
    })
  const isWhole = text.includes('.*')
  const isNamed = ({ name }: VersionedColumn): boolean =>
    isWhole || text.includes(name) || table.key.includes(name)
  const own = table.columns.filter(isNamed).map(({ name }) => identifier('v', name))
  const hidden = table.omitted
    .filter(isNamed)
    .map(({ name, type }) => sql`null::${raw(type)} as ${identifier(name)}`)
  return sql`select ${join([...own, ...hidden, ...counters])} from ${versionsWith(table, isNamed)} v where ${isValid('v', committed)}`
}

/** Not the query that stands in the place of the table: names with a schema are those of tables. */
const stored = (name: string): Sql => sql`public.${tableName(name)}`

/** Greater than every number of a transaction. */
const LAST = raw('9223372036854775807')

/**
 * All versions of a table's rows. The condition on the transactions stands outside: PostgreSQL then keeps the order of the indexes of
 * both tables.
 */
function versionsWith(
  { table, past, columns }: VersionedTable,
  isNamed: (column: VersionedColumn) => boolean,
): Sql {
  const named = columns.filter(isNamed)
  const names = join([...named.map(({ name }) => identifier(name)), identifier(SINCE)])
  return sql`(
    select ${names}, ${LAST} as ${identifier(UNTIL)} from ${stored(table)}
    union all select ${names}, ${identifier(UNTIL)} from ${stored(past)})`
}

/** Condition that the version had begun, and had not ended. */
const isValid = (alias: string, committed: CommittedTransactions): Sql =>
  sql`${isCommitted(identifier(alias, SINCE), committed)} and not ${hadEnded(alias, committed)}`

/** Condition that the past version of the row `alias` had been replaced or deleted. */
export const hadEnded = (alias: string, committed: CommittedTransactions): Sql =>
  isCommitted(identifier(alias, UNTIL), committed)

const isCommitted = (number: Sql, { below, others }: CommittedTransactions): Sql =>
  others.length === 0
    ? sql`${number} < ${below}::bigint`
    : sql`(${number} < ${below}::bigint or ${number} = any(${others}::bigint[]))`
