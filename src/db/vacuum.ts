import { sql, volatile } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { tableName } from '../sql/table.ts'
import type { Database } from './database.ts'
import { liftTimeLimit } from './time-limit.ts'

/** A table that has changed a lot since it was last vacuumed and analysed. */
export interface ChangedTable extends Record<string, unknown> {
  readonly name: string
  /** Rows inserted, updated and deleted since then, if counted: a restart begins at 0. */
  readonly changes: number
  /** Size with indexes and long values. */
  readonly bytes: number
}

/** PostgreSQL's autovacuum defaults: this many rows, plus this fraction of the table. */
const LEAST_CHANGES = 50
const CHANGED_PART = 0.2
/** Pages that a table may have, or gain, before its size alone is a reason for a vacuum. */
const FEW_PAGES = 16

/**
 * Tables that need a vacuum, smallest first. A restart loses the counts of changed rows. With `bySize`, tables that
 * have grown since their last vacuum, or never had one, are found too, which takes several times as long.
 */
export async function tablesToVacuum(
  database: Queryable,
  { bySize }: { readonly bySize: boolean },
): Promise<readonly ChangedTable[]> {
  // PostgreSQL counts in each connection, and publishes the counts when a connection is idle, which the embedded one never is.
  await database.execute(volatile`select pg_stat_force_next_flush()`)
  // The table of the statistics is never analysed, so that count would only grow.
  return await database.query<ChangedTable>(volatile`
    with tables as (
      select oid, relname::text as name, greatest(reltuples, 0) as rows, relpages, relallvisible,
        greatest(pg_stat_get_dead_tuples(oid),
          case when oid <> 'pg_statistic'::regclass then pg_stat_get_mod_since_analyze(oid) end) as changes,
        case when ${bySize}::boolean then pg_relation_size(oid) / current_setting('block_size')::int end as pages
      from pg_class
      where relkind in ('r', 'm') and relpersistence = 'p'
        and relnamespace in ('public'::regnamespace, 'pg_catalog'::regnamespace))
    select name, changes::int, pg_total_relation_size(oid)::float8 as bytes
    from tables
    where changes > ${LEAST_CHANGES}::int + ${CHANGED_PART}::float8 * rows
      or pages > ${FEW_PAGES}::int + (1 + ${CHANGED_PART}::float8) * relpages
      or pages > ${FEW_PAGES}::int and relallvisible = 0 and pg_stat_get_last_vacuum_time(oid) is null
    order by bytes, name`)
}

/** Makes the space of the table's dead rows free for new ones, and collects its statistics. */
export async function vacuumTable(database: Queryable, { name }: ChangedTable): Promise<void> {
  await database.execute(sql`vacuum (analyze) ${tableName(name)}`)
}

/**
 * Prepares tables that have just been filled for queries: statistics, and on the embedded database also the visibility
 * map, which lets indexes answer queries alone. A server's autovacuum soon creates that map.
 */
export async function vacuumAfterLoading(database: Database): Promise<void> {
  if (database.kind === 'pglite') return await database.script('vacuum (analyze)')
  await database.transaction(async (transaction) => {
    await liftTimeLimit(transaction)
    await transaction.script('analyze')
  })
}
