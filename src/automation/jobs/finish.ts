import { currentTimestamp } from '../../base/clock.ts'
import type { Transaction } from '../../db/database.ts'
import type { Json } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { insertInto, updateTable } from '../../sql/table.ts'
import { enqueue, type JobNotifications } from './enqueue.ts'
import { type JobEventType, recordJobEvent } from './events.ts'
import type { QueueName } from './queues.ts'
import { storableJson, storableText } from './storable.ts'
import type { TakenTask } from './take.ts'

/** How a run ended. */
export interface RunOutcome {
  readonly status: 'completed' | 'failed' | 'errored'
  /** In one line; empty for a completed job. */
  readonly error: string
  /** The job's data as JSON; undefined: none. */
  readonly data: Json | undefined
  /** New entries of the log, as JSON texts. */
  readonly log: readonly string[]
  /** A user stopped the job. */
  readonly isStopped: boolean
}

const EVENTS: Readonly<Record<RunOutcome['status'], JobEventType>> = {
  completed: 'job_completed',
  failed: 'job_failed',
  errored: 'job_errored',
}

const TASK_STATES = { completed: 'finished', failed: 'failed', errored: 'failed' } as const

interface FinishedJob extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly user_id: number | null
  readonly of_service: boolean
  readonly object_type: string | null
  readonly object_id: number | null
  readonly scheduled: string | null
  readonly started: string
  readonly interval: number | null
  readonly queue_name: string
  readonly notifications: JobNotifications
  readonly is_private: boolean
}

/**
 * Stores the outcome of a run, notifies the job's user, records the event and schedules the next run, all or nothing.
 * Does nothing if the job has been deleted meanwhile, or taken over by another worker.
 */
export async function finishTask(service: Service, task: TakenTask, outcome: RunOutcome): Promise<void> {
  await service.database.transaction(async (transaction) => {
    const now = currentTimestamp(service.clock)
    const data = outcome.data === undefined ? null : storableJson(outcome.data)
    const state = outcome.isStopped ? 'stopped' : TASK_STATES[outcome.status]
    const isOwn = await transaction.execute(sql`
      ${updateTable(SYSTEM.jobTask)} set state = ${state}::text, ended = ${now}::timestamptz
      where id = ${task.id}::bigint and state = 'started' and attempts = ${task.attempt}::int`)
    if (isOwn === 0) return
    const [job] = await transaction.query<FinishedJob>(sql`
      ${updateTable(SYSTEM.job)} set status = ${outcome.status}::text, completed = ${now}::timestamptz,
        error = ${storableText(outcome.error)}::text, data = ${data}::jsonb,
        log_entries = log_entries || ${outcome.log}::jsonb[]
      where id = ${task.job.id}::bigint
      returning id, name, user_id, of_service, object_type, object_id, scheduled, started, "interval", queue_name, notifications, is_private`)
    if (!job) return
    await notifyUser(transaction, job, outcome, now)
    await recordJobEvent(transaction, service, EVENTS[outcome.status], job.id, data)
    if (!outcome.isStopped) await scheduleNext(transaction, service, task, job)
  })
}

/** A notification of the end, if the job's user wants one. */
async function notifyUser(
  transaction: Transaction,
  { id, name, user_id: user, notifications }: FinishedJob,
  { status }: RunOutcome,
  now: string,
): Promise<void> {
  const isWanted = notifications === 'always' || (notifications === 'on_failure' && status !== 'completed')
  if (user === null || !isWanted) return
  await transaction.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr)
    values (${SYSTEM.job}, ${id}::bigint, ${user}::bigint, ${now}::timestamptz, ${EVENTS[status]}::text, ${name}::text)
    on conflict (object_type, object_id, user_id)
    do update set event_type = excluded.event_type, created = excluded.created, read = null`)
}

const MINUTE = 60_000

/**
 * Adds the next run of a job with an interval: that long after this run was due, and at the earliest in a minute. Without
 * its user, who has been deleted, it would only fail again.
 */
async function scheduleNext(
  transaction: Transaction,
  service: Service,
  task: TakenTask,
  job: FinishedJob,
): Promise<void> {
  const user = job.of_service ? 'service' : job.user_id
  if (job.interval === null || user === null) return
  const due = Date.parse(job.scheduled ?? job.started) + job.interval * MINUTE
  const next = Math.max(due, service.clock.now() + MINUTE)
  await enqueue(transaction, service, {
    kind: task.kind,
    name: job.name,
    object: task.job.object,
    user,
    permission: task.permission,
    parameters: task.job.parameters,
    queue: job.queue_name as QueueName, // as `enqueue` has stored it
    scheduledAt: new Date(next).toISOString(),
    interval: job.interval,
    notifications: job.notifications,
    timeout: task.timeout,
    isPrivate: job.is_private,
  })
}
