import type { User } from '../../identity/actor.ts'
import type { Json } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import type { JobLog } from './job-log.ts'

/** A job that is being run. */
export interface RunningJob {
  readonly id: number
  /** UUID, which is also the request id of the changes that the job makes. */
  readonly jobId: string
  readonly name: string
  /** The object that the job belongs to. */
  readonly object: { readonly type: string; readonly id: number } | undefined
  /** Arguments of the run, as they were enqueued. */
  readonly parameters: Json
}

/** The objects that a job works with. */
export interface JobContext {
  readonly service: Service
  readonly job: RunningJob
  /** Entries are shown as the job's log, some seconds after they were written. */
  readonly log: JobLog
  /** Aborted when the job is stopped, when its time is over, and when the process stops. The job must end then. */
  readonly signal: AbortSignal
  /** The user of the job, with their current permissions; or the service itself if the job belongs to it. */
  readonly actor: User
  /** Sets the job's `data`, which is stored at the end, whatever the outcome. */
  setData(data: Json): void
}

/** A kind of job: its name in the queue and its work. The job is completed when `run` resolves. */
export interface JobKind {
  readonly name: string
  run(context: JobContext): Promise<void>
}

/**
 * Thrown by a job that knows that it cannot succeed; its status is then `failed`. Any other error makes it `errored`.
 */
export class JobFailed extends Error {
  override readonly name = 'JobFailed'
}
