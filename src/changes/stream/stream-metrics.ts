import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

interface StreamMetrics {
  /** Position of the last event. */
  readonly position: number
  /** Committed events that have no position yet. */
  readonly waiting: number
  /** Seconds since the oldest of them was written; 0 if there are none. */
  readonly lag: number
}

/** The state of the stream of events. */
export async function streamMetrics({ database, clock }: Pick<Service, 'database' | 'clock'>): Promise<StreamMetrics> {
  const events = table(SYSTEM.event)
  const [row] = await database.query<{ position: number; waiting: number; first: string | null }>(
    sql`select coalesce((select max(position) from ${events}), 0) as position, coalesce(sum(count), 0) as waiting,
      min(created) as first from ${events} where position is null`,
  )
  const { position = 0, waiting = 0, first = null } = row ?? {}
  const lag = first === null ? 0 : Math.max(0, (clock.now() - Date.parse(first)) / 1_000)
  return { position, waiting, lag }
}
