import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { updateTable } from '../../sql/table.ts'
import type { TakenTask } from './take.ts'

/** Returns a job to its queue because its process stops. The run does not count. */
export async function putBack(service: Service, task: TakenTask): Promise<void> {
  await service.database.transaction(async (transaction) => {
    const isOwn = await transaction.execute(sql`
      ${updateTable(SYSTEM.jobTask)} set state = 'queued', attempts = attempts - 1, worker = '', heartbeat = null
      where id = ${task.id}::bigint and state = 'started' and attempts = ${task.attempt}::int`)
    if (isOwn === 0) return
    await transaction.execute(sql`
      ${updateTable(SYSTEM.job)} set status = 'pending', started = null where id = ${task.job.id}::bigint`)
  })
}
