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
