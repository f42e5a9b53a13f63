import type { Registry } from '../../schema/registry.ts'
import { isColumnRead, readColumns } from '../../sql/column-names.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { tableName } from '../../sql/table.ts'
import {
  SINCE,
  UNTIL,
  type VersionedColumn,
  type VersionedCounter,
  type VersionedTable,
  versionedTables,
} from './versioned-tables.ts'

/** The transactions that had been committed at a point in time: those with numbers below `below`, and `others`. */
export interface CommittedTransactions {
  readonly below: number
  readonly others: readonly number[]
}

/**
 * The query over the tables as they were when exactly these transactions had been committed. Tables without history are
 * read in their present state.
 */
export function pastStatement(registry: Registry, committed: CommittedTransactions, statement: Sql): Sql {
  const tables = versionedTables(registry)
  const rows = new PastRows(tables, committed)
  // Leaving out the other columns halves the time of planning.
  const columns = readColumns(statement)
  const replaced = statement.tables.flatMap((name) => {
    const table = tables.get(name)
    if (!table) return []
    const isRead: IsRead = ({ name }) => isColumnRead(columns, name) || table.key.includes(name)
    const read = rows.of(table, isRead, readIds(statement, table))
    return [sql`${tableName(name)} as not materialized (${read})`]
  })
  const definitions = [...rows.counts, ...replaced]
  // The statement may begin with its own definitions, which refer to these.
  return definitions.length === 0 ? statement : sql`with ${join(definitions)} select * from (${statement}) past`
}

type IsRead = (column: Pick<VersionedColumn, 'name'>) => boolean

/** Ids of all rows of the table that the statement can read; undefined if that is not known. */
function readIds({ statement }: Sql, { model }: VersionedTable): readonly number[] | undefined {
  const { reads, rowReads } = statement.uses
  return reads.includes(model) ? undefined : rowReads.flatMap((read) => (read.model === model ? read.ids : []))
}

/** The queries that replace the tables of one statement. */
class PastRows {
  readonly #tables: ReadonlyMap<string, VersionedTable>
  readonly #committed: CommittedTransactions
  /** Definitions of queries that count for all rows. */
  readonly counts: Sql[] = []

  constructor(tables: ReadonlyMap<string, VersionedTable>, committed: CommittedTransactions) {
    this.#tables = tables
    this.#committed = committed
  }

  /** The rows of the table; `ids`: those of all rows that are read, if they are known. */
  of(table: VersionedTable, isRead: IsRead, ids: readonly number[] | undefined): Sql {
    const counters = table.counters
      .filter(isRead)
      .map((counter) => sql`${this.#count(counter, ids)} as ${identifier(counter.name)}`)
    const columns = table.columns.filter(isRead).map(({ name }) => identifier('v', name))
    const hidden = table.omitted.filter(isRead).map(({ name, type }) => sql`null::${raw(type)} as ${identifier(name)}`)
    const [versions, isValid] = this.#versions(table, 'v', isRead)
    return sql`select ${join([...columns, ...hidden, ...counters])} from ${versions} v where ${isValid}`
  }

  /** A counter of the row `v`: if the ids are known, one query counts for all rows. */
  #count({ counted, column }: VersionedCounter, ids: readonly number[] | undefined): Sql {
    const reference = identifier('c', column)
    const table = this.#tables.get(counted)
    const [versions, isValid] = table
      ? this.#versions(table, 'c', ({ name }) => name === column)
      : [stored(counted), sql`true`]
    if (ids === undefined) {
      return sql`(select count(*) from ${versions} c where ${reference} = v.id and ${isValid})`
    }
    const name = tableName(`counted_${this.counts.length}`)
    // Joined, many counters would take longer to plan than to count.
    this.counts.push(sql`${name} as materialized (
      select ${reference} as id, count(*) as number from ${versions} c
      where ${reference} = any(${ids}::bigint[]) and ${isValid} group by 1)`)
    return sql`coalesce((select k.number from ${name} k where k.id = v.id), 0)`
  }

  /**
   * The versions of a table's rows, and the condition that the version `alias` was valid. It is outside of the union,
   * so that PostgreSQL preserves the order of the indexes of both tables.
   */
  #versions({ table, past, columns }: VersionedTable, alias: string, isRead: IsRead): [Sql, Sql] {
    const hadBegun = isCommitted(identifier(alias, SINCE), this.#committed)
    const selected = columns.filter(isRead)
    const names = join([...selected.map(({ name }) => identifier(name)), identifier(SINCE)])
    const versions = sql`(
      select ${names}, ${LAST} as ${identifier(UNTIL)} from ${stored(table)}
      union all select ${names}, ${identifier(UNTIL)} from ${stored(past)})`
    return [versions, sql`${hadBegun} and not ${hadEnded(alias, this.#committed)}`]
  }
}

/** Not the query that replaces the table: names with a schema always mean tables. */
const stored = (name: string): Sql => sql`public.${tableName(name)}`

/** Greater than every number of a transaction. */
const LAST = raw('9223372036854775807')

/** Condition that the past version of the row `alias` had been replaced or deleted. */
export const hadEnded = (alias: string, committed: CommittedTransactions): Sql =>
  isCommitted(identifier(alias, UNTIL), committed)

const isCommitted = (number: Sql, { below, others }: CommittedTransactions): Sql =>
  others.length === 0
    ? sql`${number} < ${below}::bigint`
    : sql`(${number} < ${below}::bigint or ${number} = any(${others}::bigint[]))`
