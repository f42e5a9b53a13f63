import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { type EnqueuedJob, enqueue, type JobRequest } from '../jobs/enqueue.ts'
import { SCRIPT_JOB, type ScriptParameters } from './script-job.ts'

/** A run of a script. */
export interface ScriptRun
  extends ScriptParameters,
    Pick<JobRequest, 'user' | 'scheduledAt' | 'interval' | 'notifications' | 'timeout'> {
  /** Id of the script. */
  readonly script: number
  /** Name of the job; absent: the name of the script. */
  readonly name?: string
}

/** Adds a run of the script to the queue, within the transaction if `queryable` is one. */
export async function enqueueScript(
  queryable: Queryable,
  service: Pick<Service, 'clock' | 'settings'>,
  { script, data, isFormData, commit, base, branch, changeRequest, name, ...request }: ScriptRun,
): Promise<EnqueuedJob> {
  return await enqueue(queryable, service, {
    ...request,
    name: name ?? (await scriptName(queryable, script)),
    kind: SCRIPT_JOB,
    object: { type: SYSTEM.script, id: script },
    parameters: {
      ...{ data, commit, base },
      ...(isFormData && { is_form_data: true }),
      ...(branch !== undefined && { branch }),
      ...(changeRequest !== undefined && { change_request: changeRequest }),
    },
  })
}

async function scriptName(queryable: Queryable, id: number): Promise<string> {
  const [script] = await queryable.query<{ name: string }>(
    sql`select name from ${table(SYSTEM.script)} where id = ${id}::bigint`,
  )
  return script?.name ?? 'Run Script'
}
