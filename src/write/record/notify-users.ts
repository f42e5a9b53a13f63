import { SYSTEM } from '../../schema/system-models.ts'
import { empty, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto } from '../../sql/table.ts'

/** Content of a notification. */
export interface NotifiedEvent {
  /** Name of the object's model. */
  readonly objectType: string
  readonly objectId: number
  readonly type: string
  readonly display: string
  /** Ids of the users who are notified. */
  readonly users: readonly number[]
  /** Id of the request that caused the event; null for jobs. */
  readonly request: string | null
  /** Name of the user who made it. */
  readonly author: string
}

/**
 * Notifies users of events, at most one per object, at the time `now`. An existing notification about the object is
 * replaced; it keeps its read state and its time, as in NetBox, unless it `isUnread` again.
 */
export async function notifyUsers(
  transaction: Queryable,
  events: readonly NotifiedEvent[],
  { now, isUnread = false }: { readonly now: string; readonly isUnread?: boolean },
): Promise<void> {
  const notified = events.flatMap((event) => event.users.map((user) => ({ ...event, user })))
  if (notified.length === 0) return
  const column = <Key extends keyof (typeof notified)[number]>(key: Key) =>
    notified.map((notification) => notification[key])
  await transaction.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr, request, author)
    select q.object_type, q.id, q.user_id, ${now}::timestamptz, q.type, left(q.display, 200), q.request, left(q.author, 150)
    from unnest(${column('objectType')}::text[], ${column('objectId')}::bigint[],
      ${column('type')}::text[], ${column('display')}::text[], ${column('user')}::bigint[],
      ${column('request')}::uuid[], ${column('author')}::text[])
      as q(object_type, id, type, display, user_id, request, author)
    on conflict (object_type, object_id, user_id)
    do update set event_type = excluded.event_type, object_repr = excluded.object_repr,
      request = excluded.request, author = excluded.author${isUnread ? sql`, created = excluded.created, read = null` : empty}`)
}
