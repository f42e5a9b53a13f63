import { TIMESTAMP_TABLE } from '../../db/versions/number.ts'
import { hadEnded } from '../../db/versions/past-statement.ts'
import { versionedTables } from '../../db/versions/versioned-tables.ts'
import type { Service } from '../../service.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { systemTable } from '../../sql/table.ts'
import { transactionsUntil } from './past-timestamp.ts'

/** Versions that one statement deletes, so that it holds no lock for long. */
const STEP = 5_000

/**
 * Deletes the versions that were replaced before `cutoff` and returns their number; stops early when the signal is aborted. From
 * then on the history begins at the last commit before `cutoff`.
 */
export async function pruneHistory(
  { database, registry }: Pick<Service, 'database' | 'registry'>,
  cutoff: Date,
  signal?: AbortSignal,
): Promise<number> {
  const [last] = await database.query<{ time: string; lowest: number }>(sql`
    select time, lowest from ${systemTable(TIMESTAMP_TABLE)} where time <= ${cutoff}::timestamptz
    order by time desc, number desc limit 1`)
  if (!last) return 0
  const { committed } = await transactionsUntil(database, last.time)
  if (!committed) return 0
  // The times are deleted first, so that they can no longer be requested. Transactions that ran concurrently with the
  // last one are still needed.
  await database.transaction(async (transaction) => {
    transaction.send(volatile`
      delete from ${systemTable(TIMESTAMP_TABLE)} where time < ${last.time}::timestamptz and number < ${last.lowest}::bigint`)
    transaction.send(volatile`
      update ${systemTable(TIMESTAMP_TABLE)} set time = ${last.time}::timestamptz where time < ${last.time}::timestamptz`)
  })
  let count = 0
  for (const { past } of versionedTables(registry).values()) {
    let deleted = STEP
    while (deleted === STEP && !signal?.aborted) {
      deleted = await database.execute(volatile`
        delete from ${systemTable(past)} where ctid = any(array(
          select v.ctid from ${systemTable(past)} v where ${hadEnded('v', committed)} limit ${STEP}::int))`)
      count += deleted
    }
  }
  return count
}
