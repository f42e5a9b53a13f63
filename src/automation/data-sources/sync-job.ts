import type { TokenVault } from '../../identity/vault.ts'
import { dataSource } from '../../models/core/data-source.ts'
import { JobFailed, type JobKind } from '../jobs/job-kind.ts'
import { DATA_SOURCE_JOB } from './sync-request.ts'
import { synchronise } from './synchronise.ts'

/** The job that synchronises the data source that it belongs to. */
export const dataSourceJob = (vault: Pick<TokenVault, 'reveal'>): JobKind => ({
  name: DATA_SOURCE_JOB,
  run: async ({ service, job, actor, log, signal }) => {
    if (job.object?.type !== dataSource.name) throw new JobFailed('The job has no data source.')
    await synchronise({
      ...{ service, vault, actor, log, signal },
      source: job.object.id,
      requestId: job.jobId,
    })
  },
})
