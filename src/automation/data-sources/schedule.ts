import { dataSource } from '../../models/core/data-source.ts'
import type { EffectFunction, RowOf } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { enqueue, enqueueOnce, unschedule } from '../jobs/enqueue.ts'
import { runsJobs } from '../jobs/runs-jobs.ts'
import { DATA_SOURCE_JOB, sourceObject, syncRequest } from './sync-request.ts'

type Source = RowOf<typeof dataSource.fields>

/** Adds a synchronisation job for each of the sources, on behalf of the user; their status is then "queued". */
export async function queueSyncs(service: Service, sources: readonly number[], user: number): Promise<void> {
  await service.database.transaction(async (transaction) => {
    await Promise.all(sources.map((source) => enqueue(transaction, service, syncRequest(source, user))))
    await transaction.execute(
      sql`${updateTable(dataSource.name)} set status = 'queued' where id = any(${sources}::bigint[])`,
    )
  })
}

/** Keeps the jobs of sources in line with their intervals. */
export const scheduleSync =
  (configuration: Pick<Service, 'clock' | 'settings'>): EffectFunction<typeof dataSource.fields> =>
  async ({ action, rows, database }) => {
    const changed = rows.filter(
      ({ next, previous }) => action === 'delete' || intervalOf(next) !== intervalOf(previous),
    )
    if (changed.length === 0) return
    for (const { next, previous } of changed) {
      const id = next?.id ?? previous?.id ?? 0
      const interval = intervalOf(next)
      if (interval === null) {
        await unschedule(database, { kind: DATA_SOURCE_JOB, object: sourceObject(id) })
      } else await enqueueOnce(database, configuration, syncRequest(id, 'service', interval))
    }
  }

/** Minutes between synchronisations; null if none is scheduled. */
const intervalOf = (source: Source | undefined): number | null =>
  source?.enabled && source.sync_interval !== null ? Number(source.sync_interval) : null

interface UnscheduledSource extends Record<string, unknown> {
  readonly id: number
  readonly interval: number
  readonly last_synced: string | null
}

/**
 * Schedules the sources that have an interval and no job, such as imported ones: at the earliest in a minute. A process
 * that runs no jobs leaves that to other processes.
 */
export async function scheduleAll(service: Service): Promise<void> {
  if (!runsJobs(service)) return
  const sources = await service.database.query<UnscheduledSource>(sql`
    select s.id, s.sync_interval as "interval", s.last_synced from ${table(dataSource.name)} s
    where s.enabled and s.sync_interval is not null and not exists (
      select 1 from ${table(SYSTEM.jobTask)} t join ${table(SYSTEM.job)} j on j.id = t.job_id
      where t.kind = ${DATA_SOURCE_JOB} and t.state in ('queued', 'scheduled', 'started')
        and j.object_type = ${dataSource.name} and j.object_id = s.id)
    order by s.id`)
  for (const { id, interval, last_synced } of sources) {
    const due = last_synced === null ? 0 : Date.parse(last_synced) + interval * MINUTE
    const scheduledAt = new Date(Math.max(due, service.clock.now() + MINUTE)).toISOString()
    const request = { ...syncRequest(id, 'service', interval), scheduledAt }
    await service.database.transaction((transaction) => enqueueOnce(transaction, service, request))
  }
}

const MINUTE = 60_000
