import type { Database } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Checks that the positions of events have no gaps: readers would assume that a missing event is hidden from them. */
export async function checkEvents(database: Database): Promise<Finding> {
  const [row] = await database.query<{ count: number; first: number | null; last: number | null }>(
    sql`select coalesce(sum(count), 0) as count, min(position - count + 1) as first, max(position) as last
      from ${table(SYSTEM.event)} where position is not null`,
  )
  const { count = 0, first, last } = row ?? {}
  if (first == null || last == null) return ok('events', 'There are no events yet.')
  if (last - first + 1 === count) {
    return ok('events', `The positions of events, ${first} to ${last}, have no gaps.`)
  }
  return problem(
    'events',
    `${last - first + 1 - count} of the positions ${first} to ${last} of the stream of events are missing.`,
    'Rows were deleted by hand; readers of the stream should read the objects again.',
  )
}
