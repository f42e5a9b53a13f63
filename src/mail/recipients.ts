import type { User } from '../auth/actor.ts'
import { loadUser, type UserRow } from '../auth/load-user.ts'
import { visibleParts } from '../events/visible-parts.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { groupMembers } from '../write/group-members.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** A user who receives an e-mail. */
export interface Recipient {
  readonly id: number
  readonly email: string
}

/**
 * The members of the notification group who receive an e-mail about the event: active users with an address who may view the object.
 * A deleted object counts as visible if its last recorded data satisfies the user's permissions.
 */
export async function recipientsOf(
  service: Service,
  group: number,
  event: RecordedEvent,
): Promise<readonly Recipient[]> {
  const members = await service.database.query<UserRow & Recipient & Record<string, unknown>>(sql`
    select u.id, u.username, u.is_superuser, u.email from ${table(SYSTEM.user)} u
    where u.is_active and u.email <> '' and u.id in (${groupMembers(service, group)})
    order by u.id`)
  const recipients: Recipient[] = []
  for (const { email, ...row } of members) {
    const user = await loadUser(service, row)
    if (await maySee(service, user, event)) recipients.push({ id: row.id, email })
  }
  return recipients
}

async function maySee(
  service: Service,
  user: User,
  { id, objectType, objectId, before, after }: RecordedEvent,
): Promise<boolean> {
  const versions = {
    position: id,
    type: objectType,
    object_id: objectId,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  }
  const parts = (await visibleParts(service, user, [versions])).get(id)
  if (!parts) return false
  // The message names the object as it is after the event, and the values of before.
  return (after === null || parts.after) && (before === null || parts.before)
}
