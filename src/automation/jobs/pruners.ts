import { pruneEvents } from '../../changes/stream/prune-events.ts'
import { pruneHistory } from '../../read/as-of/prune-history.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { deleteFrom, table } from '../../sql/table.ts'
import { deleteJobs } from './delete-jobs.ts'
import type { Pruner } from './housekeeping.ts'
import { filesInRecords, removeUnusedFiles } from './unused-files.ts'

/** Rows that one statement deletes, so that it does not hold locks for long. */
const STEP = 1_000
const DAY = 86_400_000

/** The time before which data kept for this number of days is old; undefined for 0 days, which means forever. */
const oldest = ({ clock }: Service, days: number): Date | undefined =>
  days === 0 ? undefined : new Date(clock.now() - days * DAY)

/** Sessions of browsers that have expired. */
const sessions: Pruner = {
  subject: 'expired sessions',
  prune: ({ database, clock }) =>
    database.execute(sql`
      ${deleteFrom(SYSTEM.session)} where expires <= ${new Date(clock.now())}::timestamptz`),
}

/** Responses to requests with an Idempotency-Key, after a day. */
const storedResponses: Pruner = {
  subject: 'expired idempotency keys',
  prune: ({ database, clock }) =>
    database.execute(sql`
      ${deleteFrom(SYSTEM.idempotencyKey)} where created <= ${new Date(clock.now() - DAY)}::timestamptz`),
}

interface OldChange extends Record<string, unknown> {
  readonly id: number
  readonly time: string
  readonly is_kept: boolean
}

/** Change records beyond CHANGELOG_RETENTION. */
const changes: Pruner = {
  subject: 'expired change records',
  prune: async (service, signal) => {
    const { database, settings } = service
    const limit = oldest(service, settings.changelogRetention)
    if (!limit) return undefined
    const isKept = settings.changelogRetainCreateLastUpdate ? BELONGS_TO_LIFE : sql`false`
    let deleted = 0
    let last: OldChange | undefined
    while (!signal.aborted) {
      const step = await database.query<OldChange>(sql`
        select c.id, c.time, ${isKept} as is_kept from ${table(SYSTEM.objectChange)} c
        where c.time < ${limit}::timestamptz ${after(last)}
        order by c.time, c.id limit ${STEP}::int`)
      last = step.at(-1)
      if (!last) break
      const old = step.filter(({ is_kept }) => !is_kept).map(({ id }) => id)
      if (old.length === 0) continue
      const files = await filesInRecords(service, old)
      deleted += await database.execute(sql`${deleteFrom(SYSTEM.objectChange)} where id = any(${old}::bigint[])`)
      await removeUnusedFiles(service, files)
    }
    return deleted
  },
}

const after = (last: OldChange | undefined): Sql =>
  last ? sql`and (c.time, c.id) > (${last.time}::timestamptz, ${last.id}::bigint)` : sql``

const ofSameObject = sql`o.changed_object_type = c.changed_object_type and o.changed_object_id = c.changed_object_id`

/** The creation or the last update of an object that has not been deleted. */
const BELONGS_TO_LIFE = sql`(
  c.action <> 'delete'
  and not exists (select 1 from ${table(SYSTEM.objectChange)} o where ${ofSameObject} and o.action = 'delete')
  and (c.action = 'create' or not exists (
    select 1 from ${table(SYSTEM.objectChange)} o
    where ${ofSameObject} and o.action = 'update' and (o.time, o.id) > (c.time, c.id))))`

/** Events beyond CHANGELOG_RETENTION; they are deleted before the change records that they refer to. */
const events: Pruner = {
  subject: 'expired events',
  prune: async (service, signal) => {
    const limit = oldest(service, service.settings.changelogRetention)
    return limit && (await pruneEvents(service.database, limit, signal))
  },
}

/** Past versions of objects beyond HISTORY_RETENTION. */
const versions: Pruner = {
  subject: 'past versions',
  prune: async (service, signal) => {
    const limit = oldest(service, service.settings.historyRetention)
    return limit && (await pruneHistory(service, limit, signal))
  },
}

/** Jobs beyond JOB_RETENTION that are not waiting to run. */
const jobs: Pruner = {
  subject: 'expired jobs',
  prune: async (service, signal) => {
    const { database, settings } = service
    const limit = oldest(service, settings.jobRetention)
    if (!limit) return undefined
    let deleted = 0
    while (!signal.aborted) {
      const old = await database.query<{ id: number }>(sql`
        select j.id from ${table(SYSTEM.job)} j
        where j.created < ${limit}::timestamptz and not exists (
          select 1 from ${table(SYSTEM.jobTask)} t
          where t.job_id = j.id and t.state in ('queued', 'scheduled', 'started'))
        limit ${STEP}::int`)
      if (old.length === 0) break
      const ids = old.map(({ id }) => id)
      await database.transaction((transaction) => deleteJobs(transaction, ids))
      deleted += ids.length
    }
    return deleted
  },
}

/** The service's own rows that housekeeping deletes. */
export const PRUNERS: readonly Pruner[] = [sessions, storedResponses, events, changes, versions, jobs]
