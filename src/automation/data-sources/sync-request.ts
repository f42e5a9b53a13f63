import { dataSource } from '../../models/core/data-source.ts'
import type { JobRequest } from '../jobs/enqueue.ts'

/** The kind of job that synchronises a data source. */
export const DATA_SOURCE_JOB = 'data source'

/** The object to which the job of a source belongs. */
export const sourceObject = (id: number) => ({ type: dataSource.name, id })

/** A synchronisation: at once, and then every `interval` minutes if there is one. A user needs the permission when it runs. */
export const syncRequest = (source: number, user: JobRequest['user'], interval?: number): JobRequest => ({
  kind: DATA_SOURCE_JOB,
  name: 'Synchronization',
  object: sourceObject(source),
  user,
  ...(user !== 'service' && { permission: 'sync' }),
  interval,
})
