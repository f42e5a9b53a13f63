import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
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
}

/**
 * Notifies users of events, at most one per object, at the time `now`. An existing notification about the object is
 * replaced and keeps its read state.
 */
export async function notifyUsers(
  transaction: Queryable,
  events: readonly NotifiedEvent[],
  now: string,
): Promise<void> {
  const notified = events.flatMap((event) => event.users.map((user) => ({ ...event, user })))
  if (notified.length === 0) return
  const column = <Key extends keyof (typeof notified)[number]>(key: Key) =>
    notified.map((notification) => notification[key])
  await transaction.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr)
    select q.object_type, q.id, q.user_id, ${now}::timestamptz, q.type, left(q.display, 200)
    from unnest(${column('objectType')}::text[], ${column('objectId')}::bigint[],
      ${column('type')}::text[], ${column('display')}::text[], ${column('user')}::bigint[])
      as q(object_type, id, type, display, user_id)
    on conflict (object_type, object_id, user_id)
    do update set event_type = excluded.event_type, object_repr = excluded.object_repr`)
}
