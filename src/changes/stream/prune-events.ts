import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { deleteFrom, table, updateTable } from '../../sql/table.ts'

/** Positions that one statement deletes, so that it does not hold locks for long; more if a single row covers more. */
const STEP = 5_000

/**
 * Deletes the events before `cutoff` and returns their number; stops early when the signal is aborted. Deletes only
 * from the start of the stream, up to the first event that is kept, so that the remaining positions have no gaps. The
 * last event is always kept, because the next position follows from it, and so is an event that rules have not handled
 * yet.
 */
export async function pruneEvents(database: Queryable, cutoff: Date, signal?: AbortSignal): Promise<number> {
  let count = 0
  while (!signal?.aborted) {
    const deleted = await deleteFirstRows(database, cutoff)
    if (deleted === 0) return count + (await shortenOnlyRow(database, cutoff))
    count += deleted
  }
  return count
}

const events = table(SYSTEM.event)

/** Deletes rows that are completely before the cutoff, but never the last one. Returns the number of their events. */
async function deleteFirstRows(database: Queryable, cutoff: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    with deleted as (
      ${deleteFrom(SYSTEM.event)} where position < least(
        (select min(position) + ${STEP}::bigint from ${events}),
        (select max(position) from ${events}),
        (select position from ${events} where kind <> 'change' and position > (
          select coalesce(min(position), 0) from ${table(SYSTEM.eventCursor)}) order by position limit 1),
        (select position from ${events}
          where position is not null and created >= ${cutoff}::timestamptz order by position limit 1))
      returning count)
    select coalesce(sum(count), 0)::bigint as count from deleted`)
  return row?.count ?? 0
}

/** If one old row is left, all its events but the last are deleted from it. Returns their number. */
async function shortenOnlyRow(database: Queryable, cutoff: Date): Promise<number> {
  // The number is checked again, in case another process has just done the same.
  const [row] = await database.query<{ count: number }>(sql`
    with left_row as (
      select id, count - 1 as surplus from ${events} where count > 1 and created < ${cutoff}::timestamptz
        and position = (select min(position) from ${events}) and position = (select max(position) from ${events}))
    ${updateTable(SYSTEM.event)} e set change = e.change + l.surplus, count = 1
    from left_row l where e.id = l.id and e.count = l.surplus + 1
    returning l.surplus as count`)
  return row?.count ?? 0
}
