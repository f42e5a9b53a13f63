import { choices } from '../../../schema/choices.ts'

/** Values of job Status. */
export const jobStatus = choices([
  ['pending', 'Pending', 'cyan'],
  ['scheduled', 'Scheduled', 'gray'],
  ['running', 'Running', 'blue'],
  ['completed', 'Completed', 'green'],
  ['errored', 'Errored', 'red'],
  ['failed', 'Failed', 'red'],
])

/** A job in these states has not ended. */
export const PENDING_JOB_STATUSES: readonly string[] = ['pending', 'scheduled', 'running']

/** A job in these states has ended. */
export const FINAL_JOB_STATUSES: readonly string[] = ['completed', 'errored', 'failed']
