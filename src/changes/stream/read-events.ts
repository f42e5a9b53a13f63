import { ApiError } from '../../base/errors.ts'
import type { Actor } from '../../identity/actor.ts'
import { grantedRows } from '../../identity/permitted-rows.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { empty, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { ChangeRow } from './change-row.ts'
import { type EventText, eventText } from './event-text.ts'
import { visibleParts } from './visible-parts.ts'

/** Positions per query, so that no query takes long, however few events match the filters. */
const SPAN = 2_000

/** Queries for one batch. If a reader finds nothing in this many positions, it continues with the next request. */
const MOST_QUERIES = 20

const events = table(SYSTEM.event)
const FIRST = sql`(select position - count + 1 from ${events} where position is not null order by position limit 1)`
const LAST = sql`(select max(position) from ${events})`

/** The events that a reader wants, and where to read them. */
export interface EventQuery {
  /** Predicate over the change record `t`; undefined for all. */
  readonly where: Sql | undefined
  /** Maximum number of events in a batch. */
  readonly limit: number
  /** Start of URLs. */
  readonly base: string
}

/** Events in the order of their positions. */
export interface EventBatch {
  readonly events: readonly EventText[]
  /** Everything up to this position has been read, even if `events` is empty. */
  readonly position: number
  /** The stream has no more events at present. */
  readonly isEnd: boolean
}

/** The part of the stream that can be read. */
interface Bounds {
  /** Position of the first event; undefined while there are none. */
  readonly first: number | undefined
  /** Position of the last event; 0 while there are none. */
  readonly last: number
}

/**
 * The next events after the position that match the query and that the actor may see. Throws `unauthenticated` and
 * `forbidden` for an actor who may not view change records, and `gone` if the next event has been deleted.
 */
export async function readEvents(
  service: Service,
  actor: Actor,
  query: EventQuery,
  after: number,
): Promise<EventBatch> {
  let position = after
  for (let count = 0; count < MOST_QUERIES; count++) {
    const { rows, first, last } = await readSpan(service, actor, query, position)
    requireKept({ first, last }, position)
    const isFull = rows.length === query.limit
    position = isFull ? (rows.at(-1)?.position ?? position) : Math.min(position + SPAN, last)
    const parts = await visibleParts(service, actor, rows)
    const events = rows.flatMap((row) => {
      const visible = parts.get(row.position)
      return visible ? [eventText(service.registry, row, visible, query.base)] : []
    })
    const isEnd = position >= last
    if (events.length > 0 || isEnd) return { events, position: Math.max(position, after), isEnd }
  }
  return { events: [], position, isEnd: false }
}

/** Throws `gone` if the event after the position has been deleted. */
export function requireKept(bounds: Bounds, position: number): void {
  const earliest = earliestStart(bounds)
  if (position >= earliest) return
  throw new ApiError({
    kind: 'gone',
    detail: `The events up to position ${earliest} have been deleted, because they are older than the retention. Read the objects again, then resume after ${earliest}.`,
    resumeAfter: earliest,
  })
}

/** The position after which all stored events can be read. */
export const earliestStart = ({ first, last }: Bounds): number => (first === undefined ? last : first - 1)

export async function readBounds({ database }: Pick<Service, 'database'>): Promise<Bounds> {
  const [row] = await database.query<{ first: number | null; last: number | null }>(
    sql`select ${FIRST} as first, ${LAST} as last`,
  )
  return { first: row?.first ?? undefined, last: row?.last ?? 0 }
}

/** Change records with positions after the given one, and the bounds of the stream at that time. */
async function readSpan(
  { database, registry, settings }: Service,
  actor: Actor,
  { where, limit }: EventQuery,
  after: number,
): Promise<Bounds & { readonly rows: readonly ChangeRow[] }> {
  const changes = registry.model(SYSTEM.objectChange)
  const granted = grantedRows(actor, 'view', changes, settings)
  // One statement, so that the bounds and the rows between them come from the same snapshot.
  const rows = await database.query<ChangeRow & { first: number | null; last: number | null }>(sql`
    select bounds.first, bounds.last, r.*
    from (select ${FIRST} as first, ${LAST} as last) bounds
    left join lateral (
      select e.position, t.id, t.time, t.user_id, t.user_name, t.request_id, t.action,
        t.changed_object_type as type, t.changed_object_id as object_id, t.object_repr, t.message,
        t.prechange_data as before, t.postchange_data as after
      from (${changesBehind(after)}) e join ${table(changes)} t on t.id = e.change
      where true${and(granted === 'all' ? undefined : granted)}${and(where)}
      order by e.position limit ${limit}
    ) r on true
    order by r.position`)
  return {
    rows: rows.filter(({ position }) => position !== null),
    first: rows[0]?.first ?? undefined,
    last: rows[0]?.last ?? 0,
  }
}

/**
 * The next positions of change records, with the ids of the records. Rows with several records may extend beyond the
 * span at both ends. Their ids are listed one by one, so that PostgreSQL finds each record by its key: it would assume
 * that a range of ids covers a large part of the table. Both parts are ordered and limited, so PostgreSQL merges them,
 * reads no further than the page, and expects no more rows.
 */
const changesBehind = (after: number): Sql => sql`
  (select position, change from ${events}
  where kind = 'change' and count = 1 and position > ${after}::bigint and position <= ${after + SPAN}::bigint
  order by position limit ${SPAN})
  union all
  (select w.position - w.count + 1 + place as position, w.change + place
  from ${events} w, generate_series(
    greatest(w.count - (w.position - ${after}::bigint), 0),
    w.count - 1 - greatest(w.position - ${after + SPAN}::bigint, 0)) place
  where w.kind = 'change' and w.count > 1
    and w.position > ${after}::bigint and w.position <= coalesce(
      (select min(position) from ${events} where position > ${after + SPAN}::bigint), ${after + SPAN}::bigint)
  order by 1 limit ${SPAN})`

const and = (predicate: Sql | undefined): Sql => (predicate ? sql` and ${predicate}` : empty)
