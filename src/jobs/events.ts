import type { Service } from '../service.ts'
import type { Transaction } from '../storage/database.ts'

export type JobEventType = 'job_started' | 'job_completed' | 'job_failed' | 'job_errored'

/** Tells the event stream of a change of a job. */
export async function recordJobEvent(
  _transaction: Transaction,
  _service: Service,
  _type: JobEventType,
  _jobId: number,
): Promise<void> {}
