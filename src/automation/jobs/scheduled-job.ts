import { currentTimestamp } from '../../base/clock.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import type { Schedule } from '../../config/value-types.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { enqueueOnce, type JobRequest } from './enqueue.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

/** The first time of the schedule after this one, in milliseconds since 1970. */
export function nextTime({ everyMinutes, minutesOfDay }: Schedule, after: number): number {
  if (everyMinutes !== undefined) {
    const period = everyMinutes * MINUTE
    return (Math.floor(after / period) + 1) * period
  }
  const today = Math.floor(after / DAY) * DAY
  const times = [today, today + DAY].flatMap((day) => minutesOfDay.map((minute) => day + minute * MINUTE))
  return Math.min(...times.filter((time) => time > after))
}

/**
 * Makes sure that the next run of a job of the service is scheduled, once for all processes. `isWanted`: whether it runs at
 * present.
 */
export const scheduledJob = (
  service: Service,
  job: Omit<JobRequest, 'user' | 'scheduledAt'>,
  schedule: Schedule,
  isWanted: () => boolean = () => true,
): BackgroundWork => ({
  name: `schedule of ${job.kind}`,
  idleMs: MINUTE,
  wokenBy: [SYSTEM.jobTask],
  turn: async () => {
    if (!isWanted()) return 'idle'
    const { database, clock } = service
    const now = clock.now()
    const scheduledAt = new Date(nextTime(schedule, now)).toISOString()
    const [kept] = await database.query(sql`
      select from ${table(SYSTEM.jobTask)} t join ${table(SYSTEM.job)} j on j.id = t.job_id
      where t.kind = ${job.kind} and (t.state = 'started' or t.state in ('queued', 'scheduled')
        and (t.due <= ${currentTimestamp(clock)}::timestamptz or t.due = ${scheduledAt}::timestamptz)) limit 1`)
    if (kept) return 'idle'
    await database.transaction((transaction) =>
      enqueueOnce(transaction, service, { ...job, user: 'service', scheduledAt }),
    )
    return 'idle'
  },
})
