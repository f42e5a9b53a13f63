import { currentTimestamp } from '../../base/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { insertInto, ONLY_INSERTS, table } from '../../sql/table.ts'
import { hurryEvents } from '../../write/record/urgent-events.ts'

export type JobEventType = 'job_started' | 'job_completed' | 'job_failed' | 'job_errored'

/**
 * Adds an event about the job to the event stream. Its payload is `{event, object_type, object_id, data, job: {id,
 * job_id, name, status, error}, username, timestamp}`. `data`: JSON text whose keys keep their order; default: the
 * stored data. The data of a private job is left out.
 */
export async function recordJobEvent(
  transaction: Transaction,
  { clock, registry }: Pick<Service, 'clock' | 'registry'>,
  type: JobEventType,
  jobId: number,
  data: string | null = null,
): Promise<void> {
  const now = currentTimestamp(clock)
  hurryEvents({ registry }, transaction)
  await transaction.execute(sql`
    ${insertInto(SYSTEM.event, ONLY_INSERTS)} (kind, payload, created)
    select 'job', json_build_object('event', ${type}::text, 'object_type', j.object_type, 'object_id', j.object_id,
      'data', case when j.is_private then null else coalesce(${data}::json, j.data::json) end,
      'job', json_build_object('id', j.id, 'job_id', j.job_id, 'name', j.name, 'status', j.status, 'error', j.error),
      'username', (select u.username from ${table(SYSTEM.user)} u where u.id = j.user_id),
      'timestamp', ${now}::text), ${now}::timestamptz
    from ${table(SYSTEM.job)} j where j.id = ${jobId}::bigint`)
}
