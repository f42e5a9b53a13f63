import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { deleteFrom, table } from '../sql/table.ts'

/** Events that one statement deletes, so that it holds no lock for long. */
const STEP = 5_000

/**
 * Deletes the events from before `cutoff` and returns their number; stops early when the signal is aborted. Deletes only from the
 * start of the stream, up to the first event that stays, so that the positions that are left have no gaps. The last event stays in
 * any case, because the next position follows from it; and so does an event on which rules have still to act.
 */
export async function pruneEvents(
  database: Queryable,
  cutoff: Date,
  signal?: AbortSignal,
): Promise<number> {
  const events = table(SYSTEM.event)
  let count = 0
  while (!signal?.aborted) {
    const deleted = await database.execute(sql`
      ${deleteFrom(SYSTEM.event)} where position < least(
        (select min(position) + ${STEP}::bigint from ${events}),
        (select max(position) from ${events}),
        (select position from ${events} where kind <> 'change' and position > (
          select coalesce(min(position), 0) from ${table(SYSTEM.eventCursor)}) order by position limit 1),
        (select position from ${events}
          where position is not null and created >= ${cutoff}::timestamptz order by position limit 1))`)
    if (deleted === 0) break
    count += deleted
  }
  return count
}
