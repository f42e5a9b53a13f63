import { raw, type Sql, volatile } from '../../sql/fragment.ts'
import { systemTable } from '../../sql/table.ts'

/** Table of the transactions that wrote versions, with the times of their commits. */
export const TIMESTAMP_TABLE = 'cadastre_moment'

/** Function of the database: number of the current transaction. */
export const NUMBER_FUNCTION = 'cadastre_number'

/**
 * Id of the advisory lock, chosen at random, that a transaction holds in shared mode from reading the clock until its
 * commit.
 */
export const COMMIT_LOCK = 4_180_226_735

/** Number of the current transaction. */
export const currentNumber: Sql = volatile`${raw(NUMBER_FUNCTION)}()`

/**
 * Part of a statement: corrects the times of transactions that are in the future because the clock was ahead and has
 * been set back. Each gets the earliest time of those with higher numbers, so that times grow with the numbers again,
 * and later transactions are not taken for earlier ones.
 */
export const correctTimestamps: Sql = volatile`
  update ${systemTable(TIMESTAMP_TABLE)} m set time = coalesce(
    (select min(later.time) from (
      select time from ${systemTable(TIMESTAMP_TABLE)} where number > m.number offset 0) later
    where later.time <= now.time), now.time)
  from (select clock_timestamp() as time offset 0) now
  where (select max(time) from ${systemTable(TIMESTAMP_TABLE)}) > (select clock_timestamp()) and m.time > now.time`

/**
 * Records the transaction that wrote versions; it is sent with the commit. `time` is taken after everything that the
 * transaction has read, so that a transaction that has seen the changes of another has the later time. `begun`: its
 * start; `lowest`: the lowest number of a transaction that was still running at `time`. The lock lets readers wait
 * until all transactions with an earlier time have ended.
 */
export const recordTimestamp: Sql = volatile`
  with locked as materialized (select pg_advisory_xact_lock_shared(${raw(String(COMMIT_LOCK))}) as done)
  insert into ${systemTable(TIMESTAMP_TABLE)} (number, time, begun, lowest)
  select number, clock_timestamp(), now(),
    number - (pg_current_xact_id()::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
  from locked, (select ${currentNumber} as number) own
  on conflict (number) do nothing`
