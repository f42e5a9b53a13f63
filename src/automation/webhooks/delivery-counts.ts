import { currentTimestamp } from '../../base/clock.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** The state of all webhook deliveries. */
interface DeliveryCounts {
  /** Unfinished deliveries by status, and the dead ones of the past seven days. */
  readonly queued: number
  readonly retrying: number
  readonly dead: number
  /** Seconds since the oldest due delivery could have been sent; 0 if none is due. */
  readonly lag: number
}

/** Counts the deliveries. Cheap, however many finished deliveries there are. */
export async function countDeliveries({
  database,
  clock,
}: Pick<Service, 'database' | 'clock'>): Promise<DeliveryCounts> {
  const now = currentTimestamp(clock)
  const deliveries = table(SYSTEM.webhookDelivery)
  const [open] = await database.query<Omit<DeliveryCounts, 'dead'>>(sql`
    select count(*) filter (where status = 'queued') as queued,
      count(*) filter (where status = 'retrying') as retrying,
      coalesce(extract(epoch from ${now}::timestamptz - min(next_attempt)
        filter (where next_attempt <= ${now}::timestamptz))::float8, 0) as lag
    from ${deliveries} where next_attempt is not null`)
  const [dead] = await database.query<{ dead: number }>(sql`
    select count(*) as dead from ${deliveries}
    where status = 'dead' and created > ${now}::timestamptz - interval '7 days'`)
  return { queued: 0, retrying: 0, lag: 0, ...open, dead: dead?.dead ?? 0 }
}
