import { currentTimestamp } from '../../base/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, table, updateTable } from '../../sql/table.ts'

/** A task, locked by the transaction. */
interface LockedTask extends Record<string, unknown> {
  readonly id: number
  readonly job: number
  readonly state: string
}

const WAITING: ReadonlySet<string> = new Set(['queued', 'scheduled', 'started'])

/**
 * Removes the job from its queue; a running job is stopped, and an unfinished one is shown as failed. False: no such
 * task.
 */
export const deleteTask = (service: Service, jobId: string): Promise<boolean> =>
  change(service, jobId, async (transaction, { id, job, state }) => {
    await transaction.execute(sql`${deleteFrom(SYSTEM.jobTask)} where id = ${id}::bigint`)
    if (!WAITING.has(state)) return
    await transaction.execute(sql`
      ${updateTable(SYSTEM.job)} set status = 'failed', error = 'The task was deleted.',
        completed = ${currentTimestamp(service.clock)}::timestamptz
      where id = ${job}::bigint`)
  })

/** Runs the job, even a finished one, as soon as a worker is free; a running job is left alone. False: no such task. */
export const runAgain = (service: Service, jobId: string): Promise<boolean> =>
  change(service, jobId, async (transaction, { id, job, state }) => {
    if (state === 'started') return
    const now = currentTimestamp(service.clock)
    await transaction.execute(sql`
      ${updateTable(SYSTEM.jobTask)} set state = 'queued', due = ${now}::timestamptz, enqueued = ${now}::timestamptz,
        ended = null, attempts = 0, worker = '', heartbeat = null, stop_requested = false
      where id = ${id}::bigint`)
    await transaction.execute(sql`
      ${updateTable(SYSTEM.job)} set status = 'pending', started = null, completed = null, error = ''
      where id = ${job}::bigint`)
  })

/** Asks the worker to end the job. `notRunning`: the job is not running. Undefined: no such task. */
export async function stopTask(service: Service, jobId: string): Promise<'stopping' | 'notRunning' | undefined> {
  let isRunning = false
  const isFound = await change(service, jobId, async (transaction, { id, state }) => {
    isRunning = state === 'started'
    if (!isRunning) return
    await transaction.execute(sql`${updateTable(SYSTEM.jobTask)} set stop_requested = true where id = ${id}::bigint`)
  })
  if (!isFound) return undefined
  return isRunning ? 'stopping' : 'notRunning'
}

function change(
  { database }: Service,
  jobId: string,
  work: (transaction: Transaction, task: LockedTask) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [task] = await transaction.query<LockedTask>(sql`
      select t.id, t.job_id as job, t.state from ${table(SYSTEM.jobTask)} t
      where t.job_id = (select j.id from ${table(SYSTEM.job)} j where j.job_id = ${jobId}::uuid)
      for update`)
    if (!task) return false
    await work(transaction, task)
    return true
  })
}
