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
    Pick<JobRequest, 'user' | 'permission' | 'scheduledAt' | 'interval' | 'notifications' | 'timeout'> {
  /** Id of the script. */
  readonly script: number
  /** Name of the job; absent: that of the script, with the script's limit of time and notifications. */
  readonly name?: string
}

/** Adds a run of the script to the queue, within the transaction if `queryable` is one. */
export async function enqueueScript(
  queryable: Queryable,
  service: Pick<Service, 'clock' | 'settings'>,
  { script, data, isFormData, commit, base, branch, changeRequest, name, ...request }: ScriptRun,
): Promise<EnqueuedJob> {
  return await enqueue(queryable, service, {
    ...(name === undefined ? await optionsOf(queryable, script) : { name }),
    ...request,
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

/** How event rules start the script. */
async function optionsOf(
  queryable: Queryable,
  id: number,
): Promise<Pick<JobRequest, 'name' | 'timeout' | 'notifications'>> {
  const [script] = await queryable.query<{ name: string; options: string }>(sql`
    select name, options::text from ${table(SYSTEM.script)} where id = ${id}::bigint`)
  const { title, ...options }: Partial<Omit<JobRequest, 'name'>> & { title?: string } = JSON.parse(
    script?.options ?? '{}',
  )
  return { name: title ?? script?.name ?? 'Run Script', ...options }
}
