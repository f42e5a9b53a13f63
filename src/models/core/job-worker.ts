import { dateTime, decimal, integer, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A worker of a running process, which takes jobs from the queues one after the other. */
export const jobWorker = model({
  name: 'core.jobworker',
  labels: ['worker', 'workers'],
  page: false,

  fields: {
    name: text({ max: 200, unique: true }),
    pid: integer({}),
    started: dateTime({}),
    /** Time of its last sign of life. */
    heartbeat: dateTime({}),
    successes: integer({ default: 0 }),
    failures: integer({ default: 0 }),
    /** Seconds spent with jobs. */
    working_time: decimal({ digits: 14, places: 3, default: '0' }),
  },

  graphql: false,
  brief: ['id', 'display'],
  order: ['name'],
  private: true,
  internal: true,
  transient: true,
})
