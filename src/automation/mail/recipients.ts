import { visibleParts } from '../../changes/stream/visible-parts.ts'
import type { User } from '../../identity/actor.ts'
import { loadUser, type UserRow } from '../../identity/load-user.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { usersOfNotificationGroup } from '../../write/record/notified-users.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** A user who may receive an e-mail. */
export interface Recipient {
  readonly email: string
  readonly user: User
}

/** The members of the notification group who can receive an e-mail: active users with an address. */
export async function recipientsOf(service: Service, group: number): Promise<readonly Recipient[]> {
  const members = await service.database.query<Member>(sql`
    select u.id, u.username, u.is_superuser, u.email from ${table(SYSTEM.user)} u
    where u.is_active and u.email <> '' and u.id in (${usersOfNotificationGroup(service, group)})
    order by u.id`)
  const recipients: Recipient[] = []
  for (const { email, ...row } of members) {
    recipients.push({ email, user: await loadUser(service, row) })
  }
  return recipients
}

interface Member extends UserRow, Record<string, unknown> {
  readonly email: string
}

/**
 * The events whose objects the user may view. A deleted object counts as visible if its last recorded data satisfies the user's
 * permissions.
 */
export async function visibleEvents(
  service: Service,
  user: User,
  events: readonly RecordedEvent[],
): Promise<readonly RecordedEvent[]> {
  const versions = events.map(({ id, objectType, objectId, before, after }) => ({
    position: id,
    type: objectType,
    object_id: objectId,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  }))
  const visible = await visibleParts(service, user, versions)
  return events.filter(({ id, before, after }) => {
    const parts = visible.get(id)
    // The message contains the object's name after the event, and values from before it.
    return parts && (after === null || parts.after) && (before === null || parts.before)
  })
}
