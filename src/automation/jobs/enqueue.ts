import { randomUUID } from 'node:crypto'
import { currentTimestamp } from '../../base/clock.ts'
import type { Json } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql, volatile } from '../../sql/fragment.ts'
import { numberedInsert } from '../../sql/predicted-ids.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto, ONLY_INSERTS, table, updateTable } from '../../sql/table.ts'
import { deleteJobs } from './delete-jobs.ts'
import { priorityOf, type QueueName } from './queues.ts'

export type JobNotifications = 'always' | 'on_failure' | 'never'

/** A job to be run. */
export interface JobRequest {
  /** Name of the kind of job. */
  readonly kind: string
  /** Name that the API shows. */
  readonly name: string
  readonly object?: { readonly type: string; readonly id: number } | undefined
  /** Id of the user whose permissions the job has, or the service itself, which may do everything. */
  readonly user: number | 'service'
  /** Action on `object` for which the user needs permission: checked again whenever the job runs. */
  readonly permission?: string | undefined
  readonly parameters?: Json
  readonly queue?: QueueName
  /** Time of the run, ISO 8601; absent: now. */
  readonly scheduledAt?: string | undefined
  /** Minutes between runs; absent: it runs once. */
  readonly interval?: number | undefined
  readonly notifications?: JobNotifications | undefined
  /** Seconds that a run may take; 300 by default. */
  readonly timeout?: number | undefined
  /** Only its user and superusers may see the job. */
  readonly isPrivate?: boolean
}

export interface EnqueuedJob {
  readonly id: number
  /** UUID of the job. */
  readonly jobId: string
  readonly status: 'pending' | 'scheduled'
}

/** Seconds after which a job without its own time limit is ended. */
const TIMEOUT = 300

/** Adds a job to its queue, within the transaction if `queryable` is one. */
export async function enqueue(
  queryable: Queryable,
  { clock }: Pick<Service, 'clock'>,
  request: JobRequest,
): Promise<EnqueuedJob> {
  const { object, user, scheduledAt, interval, queue = 'default', isPrivate = false } = request
  const now = currentTimestamp(clock)
  const userId = idOf(user)
  const jobId = randomUUID()
  const isScheduled = scheduledAt !== undefined
  const status = isScheduled ? 'scheduled' : 'pending'
  const id = numberedInsert(queryable, SYSTEM.job, 1)
  const [job] = await queryable.query<{ id: number }>(sql`
    ${insertInto(SYSTEM.job, ONLY_INSERTS)} (${id.column}object_type, object_id, name, status, created, scheduled, "interval",
      user_id, of_service, error, job_id, queue_name, notifications, log_entries, is_private)
    values (${id.value}${object?.type ?? null}::text, ${object?.id ?? null}::bigint, ${request.name}::text, ${status}::text,
      ${now}::timestamptz, ${scheduledAt ?? null}::timestamptz, ${interval ?? null}::int, ${userId}::bigint, ${userId === null}::boolean, '',
      ${jobId}::uuid, ${queue}::text, ${request.notifications ?? 'always'}::text, '{}', ${isPrivate}::boolean)
    returning id`)
  if (!job) throw new Error('The job was not stored')
  const taskId = numberedInsert(queryable, SYSTEM.jobTask, 1)
  await queryable.execute(sql`
    ${insertInto(SYSTEM.jobTask, ONLY_INSERTS)} (${taskId.column}job_id, state, priority, kind, permission, parameters, due, timeout, enqueued,
      attempts, worker, stop_requested)
    values (${taskId.value}${job.id}::bigint, ${isScheduled ? 'scheduled' : 'queued'}::text, ${priorityOf(queue)}::smallint,
      ${request.kind}::text, ${request.permission ?? ''}::text, ${JSON.stringify(request.parameters ?? null)}::json,
      ${scheduledAt ?? now}::timestamptz, ${request.timeout ?? TIMEOUT}::int,
      ${isScheduled ? null : now}::timestamptz, 0, '', false)`)
  return { id: job.id, jobId, status }
}

/** Null for the service. */
const idOf = (user: JobRequest['user']): number | null => (user === 'service' ? null : user)

interface UnfinishedJob extends Record<string, unknown> {
  readonly id: number
  readonly job_id: string
  readonly status: 'pending' | 'scheduled' | 'running'
  readonly is_due_then: boolean
  readonly has_same_user: boolean
  readonly interval: number | null
}

/**
 * Makes sure that exactly one job of this kind is waiting or running for the object. An existing job is kept if it has
 * the same user and interval and, if `scheduledAt` is set, the same time; otherwise it is replaced. Returns undefined if such a
 * job is running: it then continues with the new interval. Must be called in a transaction.
 */
export async function enqueueOnce(
  transaction: Queryable,
  service: Pick<Service, 'clock'>,
  request: JobRequest,
): Promise<EnqueuedJob | undefined> {
  const { kind, object, user, scheduledAt, interval = null } = request
  const userId = idOf(user)
  const lock = `cadastre job ${kind} ${object?.type ?? ''} ${object?.id ?? ''}`
  await transaction.query(volatile`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const [job] = await transaction.query<UnfinishedJob>(sql`
    select j.id, j.job_id, j.status, j."interval",
      ${scheduledAt ?? null}::timestamptz is null
        or coalesce(j.scheduled = ${scheduledAt ?? null}::timestamptz, false) as is_due_then,
      j.user_id is not distinct from ${userId}::bigint and j.of_service = ${userId === null}::boolean as has_same_user
    from ${table(SYSTEM.jobTask)} t join ${table(SYSTEM.job)} j on j.id = t.job_id
    where t.kind = ${kind} and t.state in ('queued', 'scheduled', 'started') and ${belongsTo(object)}
    order by j.id limit 1`)
  if (!job) return await enqueue(transaction, service, request)
  const isSame = job.is_due_then && job.has_same_user && job.interval === interval
  if (job.status === 'running') {
    if (!isSame) await changeInterval(transaction, job.id, interval)
    return undefined
  }
  if (isSame) return { id: job.id, jobId: job.job_id, status: job.status }
  await deleteJobs(transaction, [job.id])
  return await enqueue(transaction, service, request)
}

/** Removes the waiting jobs of this kind for the object; a running job is not repeated. */
export async function unschedule(
  transaction: Queryable,
  { kind, object }: Pick<JobRequest, 'kind' | 'object'>,
): Promise<void> {
  const jobs = await transaction.query<{ id: number; state: string }>(sql`
    select j.id, t.state from ${table(SYSTEM.jobTask)} t join ${table(SYSTEM.job)} j on j.id = t.job_id
    where t.kind = ${kind} and t.state in ('queued', 'scheduled', 'started') and ${belongsTo(object)}`)
  const waiting = jobs.filter(({ state }) => state !== 'started').map(({ id }) => id)
  await deleteJobs(transaction, waiting)
  for (const { id, state } of jobs) {
    if (state === 'started') await changeInterval(transaction, id, null)
  }
}

const changeInterval = (queryable: Queryable, id: number, interval: number | null): Promise<number> =>
  queryable.execute(sql`${updateTable(SYSTEM.job)} set "interval" = ${interval}::int where id = ${id}::bigint`)

const belongsTo = (object: JobRequest['object']): Sql =>
  object ? sql`j.object_type = ${object.type} and j.object_id = ${object.id}::bigint` : sql`j.object_type is null`
