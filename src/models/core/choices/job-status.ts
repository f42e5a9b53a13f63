import { choices } from '../../../schema/choices.ts'

/** Statuses of a job. */
export const jobStatus = choices([
  ['pending', 'Pending', 'cyan'],
  ['scheduled', 'Scheduled', 'gray'],
  ['running', 'Running', 'blue'],
  ['completed', 'Completed', 'green'],
  ['errored', 'Errored', 'red'],
  ['failed', 'Failed', 'red'],
])

/** Statuses of a job that has not ended. */
export const PENDING_JOB_STATUSES: readonly string[] = ['pending', 'scheduled', 'running']

/** Statuses of a job that has ended. */
export const FINAL_JOB_STATUSES: readonly string[] = ['completed', 'errored', 'failed']
