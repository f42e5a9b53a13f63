import { type EnqueuedJob, enqueue, type JobRequest } from '../jobs/enqueue.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import type { Queryable } from '../sql/queryable.ts'
import { SCRIPT_JOB, type ScriptParameters } from './script-job.ts'

/** A run of a script. */
export interface ScriptRun
  extends ScriptParameters,
    Pick<JobRequest, 'user' | 'scheduledAt' | 'interval' | 'notifications' | 'timeout'> {
  /** Id of the script. */
  readonly script: number
  /** Name of the job. */
  readonly name: string
}

/** Adds a run of the script to the queue, as part of the transaction that `queryable` may be. */
export const enqueueScript = (
  queryable: Queryable,
  service: Pick<Service, 'clock' | 'settings'>,
  { script, data, commit, base, ...request }: ScriptRun,
): Promise<EnqueuedJob> =>
  enqueue(queryable, service, {
    ...request,
    kind: SCRIPT_JOB,
    object: { type: SYSTEM.script, id: script },
    parameters: { data, commit, base },
  })
