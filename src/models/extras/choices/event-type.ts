import { choices } from '../../../schema/choices.ts'

/** Types of events. */
export const eventType = choices([
  ['object_created', 'Object created'],
  ['object_updated', 'Object updated'],
  ['object_deleted', 'Object deleted'],
  ['job_started', 'Job started'],
  ['job_completed', 'Job completed'],
  ['job_failed', 'Job failed'],
  ['job_errored', 'Job errored'],
])
