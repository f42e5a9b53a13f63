import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { insertInto } from '../sql/table.ts'
import { groupMembers } from './group-members.ts'

/** Content of a notification. */
export interface NotifiedEvent {
  /** Name of the object's model. */
  readonly objectType: string
  readonly objectId: number
  readonly type: string
  readonly display: string
}

/**
 * Notifies the group's users and the users of its groups at the time `now`. An existing notification about the object is
 * replaced and keeps its read state.
 */
export async function notifyGroup(
  service: Service,
  transaction: Queryable,
  group: number,
  events: readonly NotifiedEvent[],
  now: string,
): Promise<void> {
  const column = <Key extends keyof NotifiedEvent>(key: Key) => events.map((event) => event[key])
  await transaction.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr)
    select q.object_type, q.id, m.id, ${now}::timestamptz, q.type, left(q.display, 200)
    from unnest(${column('objectType')}::text[], ${column('objectId')}::bigint[],
      ${column('type')}::text[], ${column('display')}::text[]) as q(object_type, id, type, display)
    cross join (${groupMembers(service, group)}) m
    on conflict (object_type, object_id, user_id)
    do update set event_type = excluded.event_type, object_repr = excluded.object_repr`)
}
