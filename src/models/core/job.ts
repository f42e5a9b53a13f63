import { choices } from '../../schema/choices.ts'
import {
  boolean,
  choice,
  dateTime,
  decimal,
  derived,
  foreignKey,
  genericForeignKey,
  integer,
  json,
  list,
  text,
  uuid,
} from '../../schema/field.ts'
import { type CustomFilter, custom, numberFilter, objectTypeFilter, related, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** Statuses of a job. */
const jobStatus = choices([
  ['pending', 'Pending', 'cyan'],
  ['scheduled', 'Scheduled', 'gray'],
  ['running', 'Running', 'blue'],
  ['completed', 'Completed', 'green'],
  ['errored', 'Errored', 'red'],
  ['failed', 'Failed', 'red'],
])

export const jobNotification = choices([
  ['always', 'Always'],
  ['on_failure', 'On failure'],
  ['never', 'Never'],
])

/** Time from the start to the end, as `00:01:02.061843`. */
const executionTime = (column: ColumnOf): Sql => sql`(
  case when ${column('started')} is not null and ${column('completed')} is not null
    then regexp_replace(to_char(${column('completed')} - ${column('started')}, 'HH24:MI:SS.US'), '[.]0+$', '') end)`

/** Compares the time from the start to the end with a number of seconds. */
const byTime = (operator: Sql): CustomFilter =>
  custom({
    value: 'text',
    multiple: false,
    where: ({ column }, [seconds]) =>
      /^\s*\d{1,15}(\.\d{1,15})?\s*$/.test(String(seconds))
        ? sql`extract(epoch from ${column('completed')} - ${column('started')}) ${operator} ${String(seconds).trim()}::numeric`
        : sql`false`,
  })

/** A background task and its result. */
export const job = model({
  name: 'core.job',
  isShared: true,
  path: 'core/jobs',
  labels: ['job', 'jobs'],
  earlier: { without: ['execution_time'] },

  fields: {
    object: genericForeignKey(['feature:jobs'], {
      nullable: true,
      readOnly: true,
      related: 'jobs',
    }),
    name: text({ max: 200 }),
    status: choice(jobStatus, { default: 'pending', readOnly: true, max: 30 }),
    created: dateTime({ readOnly: true, auto: 'insert' }),
    scheduled: dateTime({ nullable: true }),
    interval: integer({ unit: 'minutes', range: [1, 2147483647], nullable: true }),
    started: dateTime({ nullable: true }),
    completed: dateTime({ nullable: true }),
    execution_time: derived('text', (column) => executionTime(column), { nullable: true }),
    user: foreignKey('users.user', { onDelete: 'setNull', related: '+', readOnly: true }),
    /** It belongs to the service and may do everything. A job of neither the service nor a user does not run. */
    of_service: boolean({ default: false, hidden: true, filter: false }),
    data: json({ nullable: true }),
    error: text({ default: '', readOnly: true, filter: false }),
    job_id: uuid({ unique: true }),
    queue_name: text({ max: 100, default: '' }),
    notifications: choice(jobNotification, { default: 'always', readOnly: true, max: 30 }),
    log_entries: list('json', { default: [], blank: true }),
    /** Only its user may see its data, the response to a request that ran in the background. */
    is_private: boolean({ default: false, hidden: true, filter: false }),
  },

  visible: (column, user) => sql`(not ${column('is_private')} or ${column('user')} = ${user ?? null}::bigint)`,

  graphql: false,
  brief: ['url', 'status', 'created', 'completed', 'user'],
  order: ['-created'],
  search: ['user.username', 'name'],

  filters: {
    execution_time: byTime(sql`=`),
    execution_time__gte: byTime(sql`>=`),
    execution_time__lte: byTime(sql`<=`),
    object_type_id: objectTypeFilter('object_type', { byId: true }),
    user: related('user', 'users.user', 'username'),
    queue_name: textFilter('queue_name', { single: true }),
    created: numberFilter('created', 'dateTime', { plain: true, single: true }),
    created__before: numberFilter('created', 'dateTime', {
      plain: true,
      compare: 'lte',
      single: true,
    }),
    created__after: numberFilter('created', 'dateTime', {
      plain: true,
      compare: 'gte',
      single: true,
    }),
    scheduled: numberFilter('scheduled', 'dateTime', { plain: true, single: true }),
    scheduled__before: numberFilter('scheduled', 'dateTime', {
      plain: true,
      compare: 'lte',
      single: true,
    }),
    scheduled__after: numberFilter('scheduled', 'dateTime', {
      plain: true,
      compare: 'gte',
      single: true,
    }),
    started: numberFilter('started', 'dateTime', { plain: true, single: true }),
    started__before: numberFilter('started', 'dateTime', {
      plain: true,
      compare: 'lte',
      single: true,
    }),
    started__after: numberFilter('started', 'dateTime', {
      plain: true,
      compare: 'gte',
      single: true,
    }),
    completed: numberFilter('completed', 'dateTime', { plain: true, single: true }),
    completed__before: numberFilter('completed', 'dateTime', {
      plain: true,
      compare: 'lte',
      single: true,
    }),
    completed__after: numberFilter('completed', 'dateTime', {
      plain: true,
      compare: 'gte',
      single: true,
    }),
  },
  methods: ['GET'],
})

/** States of a task. A job has fewer statuses: its user need not know whether a failed job was stopped. */
const taskState = choices([
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
    /** Position of its queue: jobs of position 0 are taken first. */
    priority: integer({ size: 'small' }),
    /** Name of the kind of job. */
    kind: text({ max: 100 }),
    /** Action that the job's user needs permission for, on the job's object, whenever it runs; empty: none. */
    permission: text({ max: 100, default: '' }),
    /** Arguments of the run. */
    parameters: json({ nullable: true, verbatim: true }),
    /** Earliest time of the run. */
    due: dateTime({}),
    /** Seconds that a run may take. */
    timeout: integer({}),
    enqueued: dateTime({ nullable: true }),
    ended: dateTime({ nullable: true }),
    /** Number of started runs. */
    attempts: integer({ default: 0 }),
    /** Name of the worker that runs it or ran it last. */
    worker: text({ max: 200, default: '' }),
    /** Time of the worker's last heartbeat. */
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

/** A worker of a running process, which takes jobs from the queues one at a time. */
export const jobWorker = model({
  name: 'core.jobworker',
  labels: ['worker', 'workers'],
  page: false,

  fields: {
    name: text({ max: 200, unique: true }),
    pid: integer({}),
    started: dateTime({}),
    /** Time of its last heartbeat. */
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

export const jobModel = registered(job, {
  columns: words('id object_type object name status created scheduled started completed user'),
  moreColumns: { plus: ['error'] },
  labels: {
    log_entries: 'Log Entries',
    object_type: 'Type',
    queue_name: 'Queue',
  },
  panels: [
    { Job: words('object_type name status error user') },
    { Scheduling: words('created scheduled started completed queue_name') },
  ],
  filters: {
    Attributes: words('object_type_id status queue_name'),
    Creation: words(`
      created__before created__after scheduled__before scheduled__after started__before
      started__after completed__before completed__after user
    `),
  },
})
