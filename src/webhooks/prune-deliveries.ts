import type { Pruner } from '../jobs/housekeeping.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { deleteFrom, table } from '../sql/table.ts'

/** Deliveries that one statement deletes, so that it holds no lock for long. */
const STEP = 1_000
const DAY = 86_400_000

/** Completed deliveries beyond WEBHOOK_RETENTION. */
export const completedDeliveries: Pruner = {
  subject: 'completed webhook deliveries',
  prune: async ({ database, clock, settings }, signal) => {
    if (settings.webhookRetention === 0) return undefined
    const limit = new Date(clock.now() - settings.webhookRetention * DAY)
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
