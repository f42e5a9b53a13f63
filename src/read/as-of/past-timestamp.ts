import { ApiError, invalid } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import { COMMIT_LOCK, TIMESTAMP_TABLE } from '../../db/versions/number.ts'
import type { CommittedTransactions } from '../../db/versions/past-statement.ts'
import { UNTIL, versionedTables } from '../../db/versions/versioned-tables.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { parseTimestamp, toUtc } from '../../schema/timestamp.ts'
import type { Service } from '../../service.ts'
import { identifier, raw, type Sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable, table } from '../../sql/table.ts'

/** Name of the query parameter that selects a point in time. */
export const AS_OF = 'as_of'

/** A point in time whose rows can be read. */
export interface PastTimestamp {
  /** ISO 8601 in UTC. */
  readonly time: string
  /** The transactions that had been committed at that time. */
  readonly committed: CommittedTransactions
}

const POSITION = /^\d{1,15}$/
const timestamps = systemTable(TIMESTAMP_TABLE)

/**
 * The point in time that a parameter names: a timestamp, or a position of the stream of events, which means the commit
 * of that event's transaction. Throws `invalid` for other texts, for the future, and for times before the history
 * begins.
 */
export async function readPastTimestamp(service: Pick<Service, 'database'>, text: string): Promise<PastTimestamp> {
  const { database } = service
  const isPosition = POSITION.test(text)
  const time = isPosition ? await timeOfPosition(service, Number(text)) : timeFrom(text.trim())
  await waitForCommits(database, time)
  const { begins, now, isFuture, committed } = await transactionsUntil(database, time)
  // The clock was set back.
  if (Date.parse(now) < (endedUntil.get(database) ?? 0)) endedUntil.delete(database)
  // An event of the stream has already happened, whatever the clock says.
  if (isFuture && !isPosition) throw refused(`This time is in the future; it is now ${now}.`)
  if (!committed) throw new BeforeHistory(begins)
  return { time, committed }
}

/**
 * The points in time directly before and after the commit that replaced a past version of a row of the model: the last
 * one, `p`, that meets the condition. Undefined if the history no longer contains it.
 */
export async function timesAround(
  { database, registry }: Pick<Service, 'database' | 'registry'>,
  model: Model,
  condition: Sql,
): Promise<readonly [before: PastTimestamp, after: PastTimestamp] | undefined> {
  const versions = versionedTables(registry).get(model.table)
  if (!versions) return undefined
  const [row] = await database.query<{ before: string; after: string }>(volatile`
    select m.time - interval '1 microsecond' as before, m.time as after
    from ${systemTable(versions.past)} p join ${timestamps} m on m.number = p.${identifier(UNTIL)}
    where ${condition} order by m.number desc limit 1`)
  if (!row) return undefined
  await waitForCommits(database, row.after)
  const [before, after] = await Promise.all(
    [row.before, row.after].map(async (time) => ({ time, ...(await transactionsUntil(database, time)) })),
  )
  if (!before?.committed || !after?.committed) return undefined
  return [
    { time: before.time, committed: before.committed },
    { time: after.time, committed: after.committed },
  ]
}

/** The transactions that had been committed at a time. */
interface TransactionsUntil {
  /** Undefined for times before the history begins. */
  readonly committed: CommittedTransactions | undefined
  /** Time at which the history begins. */
  readonly begins: string
  readonly now: string
  readonly isFuture: boolean
}

/** The transactions that had been committed at the time, an ISO timestamp, among those that have ended by now. */
export async function transactionsUntil(database: Queryable, time: string): Promise<TransactionsUntil> {
  const [row] = await database.query<Found>(timestampAt(time))
  if (!row) throw new Error('The query returns one row')
  const { begins, now, is_future: isFuture, lowest, others } = row
  const committed = lowest === null ? undefined : committedFrom(lowest, others)
  return { begins, now, isFuture, committed }
}

interface Found extends Record<string, unknown> {
  readonly begins: string
  readonly now: string
  readonly is_future: boolean
  /** Null before the history begins. */
  readonly lowest: number | null
  readonly others: readonly number[]
}

/**
 * The last transaction before the time, and all transactions committed by then among those that ran concurrently. The
 * latter are found between the lowest number still running and the first number assigned after the time.
 */
const timestampAt = (time: string): Sql => volatile`
  with last as (
    select lowest from ${timestamps} where time <= ${time}::timestamptz
    order by time desc, number desc limit 1
  ), later as (
    select number from ${timestamps} where time > ${time}::timestamptz and begun > ${time}::timestamptz
    order by time limit 1
  )
  select (select min(time) from ${timestamps}) as begins, clock_timestamp() as now,
    ${time}::timestamptz > clock_timestamp() as is_future, (select lowest from last) as lowest,
    array(
      select number from ${timestamps} where number >= (select lowest from last) and time <= ${time}::timestamptz
        and number < coalesce((select number from later), ${Number.MAX_SAFE_INTEGER}::bigint)
      order by number
    ) as others`

/** If nothing else ran concurrently, the numbers are consecutive and need no list. */
function committedFrom(lowest: number, numbers: readonly number[]): CommittedTransactions {
  let below = lowest
  const others = [...numbers]
  while (others[0] === below) {
    others.shift()
    below += 1
  }
  return { below, others }
}

function timeFrom(input: string): string {
  // A plus sign that was not encoded arrives as a space.
  const text = input.replace(/(?<=T.*) (?=\d{2}:?\d{2}$)/i, '+')
  const timestamp = parseTimestamp(text)
  const time = timestamp && toUtc(timestamp)
  if (time === undefined) {
    throw refused('Enter a time as YYYY-MM-DDThh:mm:ss, with Z or an offset, or a position.')
  }
  return time
}

async function timeOfPosition({ database }: Pick<Service, 'database'>, position: number): Promise<string> {
  const events = table(SYSTEM.event)
  const [row] = await database.query<{
    time: string | null
    last: number
    begins: string
  }>(volatile`
    select (select max(position) from ${events}) as last, (select min(time) from ${timestamps}) as begins,
      (select time from ${timestamps} where number = (
        select transaction from ${events}
        where position <= (select min(position) from ${events} where position >= ${position}::bigint)
          and position - count < ${position}::bigint and transaction is not null
        order by position desc limit 1)) as time`)
  const last = row?.last ?? 0
  if (position > last) {
    throw refused(`The stream of events has no position ${position}: it ends at ${last}.`)
  }
  if (row?.time == null) throw new BeforeHistory(row?.begins ?? '')
  return row.time
}

const beginnings = new WeakMap<Database, string>()

/**
 * Time at which the history begins, as ISO 8601. It is read once; if the history is pruned in the meantime, it begins
 * later.
 */
export async function historyBegins(database: Database): Promise<string> {
  const begins = beginnings.get(database) ?? (await transactionsUntil(database, new Date().toISOString())).begins
  beginnings.set(database, begins)
  return begins
}

/** Refusal of a time before the history begins. */
export class BeforeHistory extends ApiError {
  /** ISO 8601 in UTC. */
  readonly begins: string

  constructor(begins: string) {
    super({ kind: 'invalid', messages: { [AS_OF]: [`The history begins at ${begins}.`] } })
    this.begins = begins
  }
}

const refused = (message: string): ApiError => invalid({ [AS_OF]: [message] })

/** Times, in milliseconds, until which all transactions of a database are certain to have ended. */
const endedUntil = new WeakMap<Database, number>()

/** Waits until the transactions that took an earlier time have been committed or rolled back. */
async function waitForCommits(database: Database, time: string): Promise<void> {
  if (Date.parse(time) < (endedUntil.get(database) ?? 0)) return
  const [[now] = []] = await database.transaction(async (transaction) => {
    await transaction.query(volatile`select pg_advisory_xact_lock(${raw(String(COMMIT_LOCK))})`)
    return await transaction.queryArrays(volatile`select clock_timestamp()`)
  })
  endedUntil.set(database, Date.parse(String(now)))
}
