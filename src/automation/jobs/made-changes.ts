import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { JobFailed, type RunningJob } from './job-kind.ts'

/**
 * Throws JobFailed if an earlier run of the job has committed changes, after which its process crashed. For jobs that
 * make all their changes in one transaction, under the UUID of the job.
 */
export async function refuseSecondRun({ database }: Service, { jobId }: Pick<RunningJob, 'jobId'>): Promise<void> {
  const [record] = await database.query(
    sql`select 1 from ${table(SYSTEM.objectChange)} where request_id = ${jobId}::uuid limit 1`,
  )
  if (record) throw new JobFailed('The changes were made, but the process ended before its result was stored.')
}
