import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, table } from '../../sql/table.ts'
import type { Pruner } from '../jobs/housekeeping.ts'

/** Deliveries that one statement deletes, so that it does not hold locks for long. */
const STEP = 1_000
const DAY = 86_400_000

/** Days for which completed deliveries are kept. */
const RETENTION = 30

/** Completed deliveries beyond that. */
export const completedDeliveries: Pruner = {
  subject: 'completed webhook deliveries',
  prune: async ({ database, clock }, signal) => {
    const limit = new Date(clock.now() - RETENTION * DAY)
    let deleted = 0
    while (!signal.aborted) {
      const step = await database.execute(sql`
        ${deleteFrom(SYSTEM.webhookDelivery)} where id in (
          select id from ${table(SYSTEM.webhookDelivery)}
          where created < ${limit}::timestamptz and next_attempt is null
          order by created limit ${STEP}::int)`)
      if (step === 0) break
      deleted += step
    }
    return deleted
  },
}
