import { type Clock, currentTimestamp } from '../../base/clock.ts'
import type { Json } from '../../schema/json.ts'
import { parseJson } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { recordJobEvent } from './events.ts'
import type { RunningJob } from './job-kind.ts'

/**
 * Milliseconds without a heartbeat after which a job counts as abandoned, because its process has crashed. Another
 * worker then runs it again.
 */
export const LEASE = 60_000

/** A job that a worker has taken from its queue. */
export interface TakenTask {
  readonly id: number
  readonly kind: string
  /** Number of this run; greater than one after a crash. */
  readonly attempt: number
  /** Seconds. */
  readonly timeout: number
  /** Id of the job's user, or the service itself; undefined if the user has been deleted. */
  readonly user: number | 'service' | undefined
  /** Action that the user needs permission for, on the job's object; empty: none. */
  readonly permission: string
  readonly job: RunningJob
}

interface TaskRow extends Record<string, unknown> {
  readonly id: number
  readonly kind: string
  readonly attempts: number
  readonly timeout: number
  readonly permission: string
  readonly parameters: string | null
  readonly job: number
}

interface JobRow extends Record<string, unknown> {
  readonly id: number
  readonly job_id: string
  readonly name: string
  readonly user_id: number | null
  readonly of_service: boolean
  readonly object_type: string | null
  readonly object_id: number | null
}

/** The work that this process accepts. */
interface Takeable {
  /** Kinds of jobs that it supports; another version of the program may support more. */
  readonly kinds: readonly string[]
  /** Tasks that it is running, which are not abandoned. */
  readonly running: readonly number[]
}

/** Whether a task `t` may be taken: it is due, or its process has crashed. */
const isFree = (clock: Clock, { kinds, running }: Takeable): Sql => sql`
  (t.kind = any(${kinds}::text[]) and (t.state in ('queued', 'scheduled') and t.due <= ${currentTimestamp(clock)}::timestamptz
    or t.state = 'started' and t.heartbeat < ${new Date(clock.now() - LEASE)}::timestamptz
      and t.id <> all(${running}::bigint[])))`

/**
 * Takes the next task for the worker and starts its job: the task that has waited longest in the first queue with a due
 * task. Undefined if there is none. No two workers take the same task.
 */
export async function takeTask(service: Service, worker: string, takeable: Takeable): Promise<TakenTask | undefined> {
  const { database, clock } = service
  const isTaskFree = isFree(clock, takeable)
  // Reads first: a worker without work starts no transaction.
  const [free] = await database.query(sql`select 1 from ${table(SYSTEM.jobTask)} t where ${isTaskFree} limit 1`)
  if (!free) return undefined
  return await database.transaction(async (transaction) => {
    const now = currentTimestamp(clock)
    const [task] = await transaction.query<TaskRow>(sql`
      ${updateTable(SYSTEM.jobTask)} q set state = 'started', worker = ${worker}, heartbeat = ${now}::timestamptz,
        enqueued = coalesce(q.enqueued, ${now}::timestamptz), attempts = q.attempts + 1, stop_requested = false
      where q.id = (
        select t.id from ${table(SYSTEM.jobTask)} t where ${isTaskFree}
        order by t.priority, t.due, t.id limit 1 for update skip locked)
      returning q.id, q.kind, q.attempts, q.timeout, q.permission, q.parameters, q.job_id as job`)
    if (!task) return undefined
    const [job] = await transaction.query<JobRow>(sql`
      ${updateTable(SYSTEM.job)} set status = 'running', started = ${now}::timestamptz
      where id = ${task.job}::bigint
      returning id, job_id, name, user_id, of_service, object_type, object_id`)
    if (!job) throw new Error(`The task ${task.id} has no job`)
    await recordJobEvent(transaction, service, 'job_started', job.id)
    return takenTask(task, job)
  })
}

const takenTask = (task: TaskRow, job: JobRow): TakenTask => ({
  id: task.id,
  kind: task.kind,
  attempt: task.attempts,
  timeout: task.timeout,
  user: job.of_service ? 'service' : (job.user_id ?? undefined),
  permission: task.permission,
  job: {
    id: job.id,
    jobId: job.job_id,
    name: job.name,
    object:
      job.object_type !== null && job.object_id !== null ? { type: job.object_type, id: job.object_id } : undefined,
    // A JSON column.
    parameters: parseJson(task.parameters ?? 'null') as Json,
  },
})
