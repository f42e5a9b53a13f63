import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { WORKER_LEASE } from './heartbeat.ts'

interface LiveWorker extends Record<string, unknown> {
  readonly name: string
  readonly pid: number
  readonly started: string
  readonly successes: number
  readonly failures: number
  readonly working_time: string
  readonly is_busy: boolean
}

/** The workers of all processes with a recent heartbeat, by name. */
export const liveWorkers = ({ database, clock }: Service): Promise<LiveWorker[]> =>
  database.query<LiveWorker>(sql`
    select w.name, w.pid, w.started, w.successes, w.failures, w.working_time, exists (
      select 1 from ${table(SYSTEM.jobTask)} t where t.state = 'started' and t.worker = w.name) as is_busy
    from ${table(SYSTEM.jobWorker)} w
    where w.heartbeat >= ${new Date(clock.now() - WORKER_LEASE)}::timestamptz
    order by w.name`)

/**
 * Whether any process runs jobs. This process decides from its configuration, because its workers have their first
 * heartbeat only some time after the start.
 */
export const hasWorkers = async (service: Service): Promise<boolean> =>
  service.settings.jobWorkers > 0 || (await liveWorkers(service)).length > 0
