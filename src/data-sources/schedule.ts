import { enqueue, enqueueOnce, unschedule } from '../jobs/enqueue.ts'
import { dataSource } from '../models/core/data-source.ts'
import type { EffectFunction, RowOf } from '../schema/rule.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table, updateTable } from '../sql/table.ts'
import { DATA_SOURCE_JOB, sourceObject, syncRequest } from './sync-request.ts'

type Source = RowOf<typeof dataSource.fields>

/** Adds a job that synchronises the source for the user; its status is then "queued". */
export async function queueSync(
  service: Service,
  source: number,
  user: number | undefined,
): Promise<void> {
  await service.database.transaction(async (transaction) => {
    await enqueue(transaction, service, syncRequest(source, user))
    await transaction.execute(
      sql`${updateTable(dataSource.name)} set status = 'queued' where id = ${source}::bigint`,
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
      } else await enqueueOnce(database, configuration, syncRequest(id, undefined, interval))
    }
  }

/** Minutes between synchronisations; null where none is scheduled. */
const intervalOf = (source: Source | undefined): number | null =>
  source?.enabled && source.sync_interval !== null ? Number(source.sync_interval) : null

/** Gives a job to every source that has an interval and no job, such as an imported one. */
export async function scheduleAll(service: Service): Promise<void> {
  await service.database.transaction(async (transaction) => {
    const sources = await transaction.query<{ id: number; interval: number }>(sql`
      select id, sync_interval as "interval" from ${table(dataSource.name)}
      where enabled and sync_interval is not null order by id`)
    for (const { id, interval } of sources) {
      await enqueueOnce(transaction, service, syncRequest(id, undefined, interval))
    }
  })
}
