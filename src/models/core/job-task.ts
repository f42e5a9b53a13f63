import { choices } from '../../schema/choices.ts'
import { boolean, choice, dateTime, foreignKey, integer, json, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** States of a task. A job shows fewer: the user need not know whether a failed one was stopped. */
export const taskState = choices([
  ['queued', 'Queued'],
  ['scheduled', 'Scheduled'],
  ['started', 'Started'],
  ['finished', 'Finished'],
  ['failed', 'Failed'],
  ['stopped', 'Stopped'],
])

/** The place of a job in its queue: what to run, when, and which worker runs it. A job without a task is a record of the past. */
export const jobTask = model({
  name: 'core.jobtask',
  labels: ['background task', 'background tasks'],
  page: false,

  fields: {
    job: foreignKey('core.job', { onDelete: 'cascade', related: '+', unique: true }),
    state: choice(taskState, { max: 30 }),
    /** Position of its queue: 0 is taken first. */
    priority: integer({ size: 'small' }),
    /** Name of the kind of job. */
    kind: text({ max: 100 }),
    /** Arguments of the run. */
    parameters: json({ nullable: true, verbatim: true }),
    /** Earliest time of the run. */
    due: dateTime({}),
    /** Seconds that a run may take. */
    timeout: integer({}),
    enqueued: dateTime({ nullable: true }),
    ended: dateTime({ nullable: true }),
    /** Runs that have been started. */
    attempts: integer({ default: 0 }),
    /** Name of the worker that runs it or ran it last. */
    worker: text({ max: 200, default: '' }),
    /** Time of the worker's last sign of life. */
    heartbeat: dateTime({ nullable: true }),
    stop_requested: boolean({ default: false }),
  },

  display: '{kind}',
  graphql: false,
  brief: ['id', 'display'],
  order: ['state', 'due'],
  private: true,
  internal: true,
})
