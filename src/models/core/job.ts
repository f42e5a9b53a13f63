import { choices } from '../../schema/choices.ts'
import {
  boolean,
  choice,
  dateTime,
  foreignKey,
  genericForeignKey,
  integer,
  json,
  list,
  text,
  uuid,
} from '../../schema/field.ts'
import { numberFilter, objectTypeFilter, related, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { jobStatus } from './choices/job-status.ts'

export const jobNotification = choices([
  ['always', 'Always'],
  ['on_failure', 'On failure'],
  ['never', 'Never'],
])

/** A background task and its result. */
export const job = model({
  name: 'core.job',
  path: 'core/jobs',
  labels: ['job', 'jobs'],

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
    user: foreignKey('users.user', { onDelete: 'setNull', related: '+', readOnly: true }),
    data: json({ nullable: true }),
    error: text({ default: '', readOnly: true, filter: false }),
    job_id: uuid({ unique: true }),
    queue_name: text({ max: 100, default: '' }),
    notifications: choice(jobNotification, { default: 'always', readOnly: true, max: 30 }),
    log_entries: list('json', { default: [], blank: true }),
    /** Its data is meant for its user alone: the response to a request that ran in the background. */
    is_private: boolean({ default: false, hidden: true, filter: false }),
  },

  visible: (column, user) =>
    sql`(not ${column('is_private')} or ${column('user')} = ${user ?? null}::bigint)`,

  graphql: false,
  brief: ['url', 'status', 'created', 'completed', 'user'],
  order: ['-created'],
  search: ['user.username', 'name'],

  filters: {
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
