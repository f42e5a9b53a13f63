import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { BackgroundWork } from '../../changes/background/background.ts'
import type { LoopLog } from '../../changes/background/loop.ts'
import { SERVICE_ACTOR, type User } from '../../identity/actor.ts'
import { loadUser, type UserRow } from '../../identity/load-user.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import type { Json } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { currentService, type Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { errorText, loggedText } from './error-text.ts'
import { finishTask, type RunOutcome } from './finish.ts'
import { JobFailed, type JobKind, type RunningJob } from './job-kind.ts'
import { JobLog } from './job-log.ts'
import { type TakenTask, takeTask } from './take.ts'

/** Milliseconds between two checks of the queue if nothing announces a job, such as one that has become due. */
const IDLE = 5_000
/** Runs after which a job is given up if its process crashes each time. */
const MOST_ATTEMPTS = 3

/** Milliseconds between attempts to store the end of a job. */
const RETRY_DELAYS = [500, 1_000, 2_000, 5_000, 10_000, 20_000]

/** Thrown into a job that a user has stopped, as the reason of its signal. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped'
  override readonly message = 'The job was stopped.'
}

/** Named and worded as NetBox's exception, which jobs show. */
class JobTimeout extends Error {
  override readonly name = 'JobTimeoutException'
}

/** It is not the job's fault: it is run again after the restart. */
class ProcessStopping extends Error {
  override readonly name = 'ProcessStopping'
}

/** A run in this process. */
export interface Run {
  readonly task: TakenTask
  readonly log: JobLog
  readonly controller: AbortController
}

/** Takes jobs from the queues, one at a time, and runs them. */
export class JobWorker {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly started: number
  successes = 0
  failures = 0
  /** Milliseconds spent running jobs. */
  workingTime = 0
  readonly #service: Service
  readonly #kinds: ReadonlyMap<string, JobKind>
  readonly #runs: Map<number, Run>
  readonly #log: LoopLog

  /** `runs`: those of all workers of this process, by the id of the task. */
  constructor(
    number: number,
    service: Service,
    kinds: ReadonlyMap<string, JobKind>,
    runs: Map<number, Run>,
    log: LoopLog,
  ) {
    // The name is part of a path, in which a dot has a meaning.
    this.name = `${hostname().replaceAll('.', '-')}-${process.pid}-${number}`
    this.started = service.clock.now()
    this.#service = service
    this.#kinds = kinds
    this.#runs = runs
    this.#log = log
  }

  /** The worker's loop. */
  get work(): BackgroundWork {
    return {
      name: 'job worker',
      idleMs: IDLE,
      wokenBy: [SYSTEM.jobTask],
      turn: async (signal) => {
        const [kinds, running] = [[...this.#kinds.keys()], [...this.#runs.keys()]]
        const task = await takeTask(this.#service, this.name, { kinds, running })
        if (!task) return 'idle'
        await this.#run(task, signal)
        return 'again'
      },
    }
  }

  async #run(task: TakenTask, stopping: AbortSignal): Promise<void> {
    const { clock } = this.#service
    const run = { task, log: new JobLog(clock), controller: new AbortController() }
    const began = clock.now()
    this.#runs.set(task.id, run)
    try {
      const outcome = await this.#outcome(run, stopping)
      if (outcome === 'interrupted') return await putBack(this.#service, task)
      if (outcome.status === 'completed') this.successes += 1
      else this.failures += 1
      await this.#persistently(() => finishTask(this.#service, task, outcome))
    } finally {
      this.workingTime += clock.now() - began
      this.#runs.delete(task.id)
    }
  }

  /** Repeats work that fails: a finished job must not be run again because the database was briefly unreachable. */
  async #persistently(work: () => Promise<void>): Promise<void> {
    for (const delay of RETRY_DELAYS) {
      try {
        return await work()
      } catch (error) {
        this.#log.error({ err: error }, 'the end of a job could not be stored and is tried again')
        await setTimeout(delay)
      }
    }
    await work()
  }

  async #outcome(run: Run, stopping: AbortSignal): Promise<RunOutcome | 'interrupted'> {
    const { task, log, controller } = run
    let data: Json | undefined
    const ended = (status: RunOutcome['status'], error = '', isStopped = false): RunOutcome => ({
      ...{ status, error, data, isStopped },
      log: log.take(),
    })
    const release = limited(controller, task.timeout, stopping)
    try {
      await this.#perform(run, (value) => {
        data = value
      })
      return ended('completed')
    } catch (error) {
      const { reason } = controller.signal
      if (reason instanceof JobStopped) return ended('failed', reason.message, true)
      if (error instanceof JobFailed) {
        log.error(error.message)
        return ended('failed', error.message)
      }
      if (reason instanceof ProcessStopping) return 'interrupted'
      const cause = reason instanceof JobTimeout ? reason : error
      this.#log.error({ err: cause, job: task.job.jobId }, `the job ${task.job.name} failed`)
      log.error(loggedText(cause))
      return ended('errored', errorText(cause))
    } finally {
      release()
    }
  }

  async #perform({ task, log, controller }: Run, setData: (data: Json) => void): Promise<void> {
    const kind = this.#kinds.get(task.kind)
    if (!kind) throw new Error(`This service has no jobs of the kind ${task.kind}`)
    if (task.attempt > MOST_ATTEMPTS) {
      throw new Error(`The process that ran the job has died ${MOST_ATTEMPTS} times`)
    }
    if (task.attempt > 1) log.warning('The process that ran the job has ended, so the job runs again.')
    const { signal } = controller
    const service = currentService(this.#service)
    const actor = await jobActor(service, task)
    // A job that resolves although it was aborted has finished its work.
    await kind.run({ service, job: task.job, log, signal, actor, setData })
  }
}

/** Aborts the run when its time is over or the process stops; returns a function that cancels this. */
function limited(controller: AbortController, seconds: number, stopping: AbortSignal): () => void {
  const interrupt = () => controller.abort(new ProcessStopping())
  const timer = globalThis.setTimeout(
    () => controller.abort(new JobTimeout(`Task exceeded maximum timeout value (${seconds} seconds)`)),
    seconds * 1_000,
  )
  if (stopping.aborted) interrupt()
  stopping.addEventListener('abort', interrupt, { once: true })
  return () => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', interrupt)
  }
}

/**
 * The user of a job with their present permissions, or the service itself. Throws JobFailed for a user who has been
 * deleted or deactivated, or has lost the permission that the job needs.
 */
async function jobActor(service: Service, { user: id, permission, job }: TakenTask): Promise<User> {
  if (id === 'service') return SERVICE_ACTOR
  if (id === undefined) throw new JobFailed('The user of the job has been deleted.')
  const [row] = await service.database.query<UserRow & Record<string, unknown>>(sql`
    select id, username, is_superuser from ${table(SYSTEM.user)} where id = ${id}::bigint and is_active`)
  if (!row) throw new JobFailed('The user of the job is inactive.')
  const user = await loadUser(service, row)
  if (permission !== '' && job.object) await requirePermissionFor(service, user, permission, job.object)
  return user
}

/** An object that has been deleted passes: the job itself says so. */
async function requirePermissionFor(
  { registry, settings, database }: Service,
  user: User,
  permission: string,
  { type, id }: NonNullable<RunningJob['object']>,
): Promise<void> {
  const model = registry.model(type)
  const rows = permittedRowsOrNone(user, permission, model, settings)
  const isPermitted = rows === 'all' ? sql`true` : rows
  const [object] = await database.query<{ permitted: boolean }>(sql`
    select coalesce((${isPermitted}), false) as permitted from ${table(model)} t where t.id = ${id}::bigint`)
  if (object?.permitted === false) {
    throw new JobFailed(
      `The user of the job no longer has the permission "${permission}" for this ${model.definition.labels[0]}.`,
    )
  }
}

/** Returns a job to its queue because its process stops. The run does not count. */
async function putBack(service: Service, task: TakenTask): Promise<void> {
  await service.database.transaction(async (transaction) => {
    const isOwn = await transaction.execute(sql`
      ${updateTable(SYSTEM.jobTask)} set state = 'queued', attempts = attempts - 1, worker = '', heartbeat = null
      where id = ${task.id}::bigint and state = 'started' and attempts = ${task.attempt}::int`)
    if (isOwn === 0) return
    await transaction.execute(sql`
      ${updateTable(SYSTEM.job)} set status = 'pending', started = null where id = ${task.job.id}::bigint`)
  })
}
