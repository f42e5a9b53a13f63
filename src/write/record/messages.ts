import { branchedModels } from '../../db/branches/branch-tables.ts'
import { displayOf } from '../../read/query/display.ts'
import type { Message } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { notifyUsers } from './notify-users.ts'
import { viewersOf } from './viewers.ts'

/**
 * Notifies the users of each message who may view its object, except the user who writes. A dry run notifies no one,
 * and neither does a branch of its own objects.
 */
export async function sendMessages(context: WriteContext, messages: readonly Message[]): Promise<void> {
  const { service, transaction, actor, requestId, now } = context
  if (context.wouldChange) return
  for (const [type, list] of Map.groupBy(messages, ({ objectType }) => objectType)) {
    const model = service.registry.model(type)
    if (service.branch && branchedModels(service.registry).has(type)) continue
    const ids = [...new Set(list.map(({ objectId }) => objectId))]
    const users = [...new Set(list.flatMap((message) => message.users))].filter((user) => user !== actor.id)
    if (users.length === 0) continue
    const viewers = await viewersOf(service, transaction, { model, ids }, sql`select unnest(${users}::bigint[])`)
    const rows = await transaction.query<{ id: number; display: string }>(sql`
      select t.id, ${displayOf(model, sql`t`)} as display from ${table(model)} t where t.id = any(${ids}::bigint[])`)
    const names = new Map(rows.map(({ id, display }) => [id, display]))
    // A user gets one notification about an object.
    const latest = new Map(
      list.flatMap((message) =>
        message.users
          .filter((user) => user !== actor.id && viewers.get(message.objectId)?.includes(user))
          .map((user) => [`${message.objectId} ${user}`, { ...message, user }] as const),
      ),
    )
    const events = [...latest.values()].map(({ objectId, text, user }) => ({
      objectType: type,
      objectId,
      type: 'object_updated',
      display: `${text}: ${names.get(objectId) ?? ''}`,
      users: [user],
      request: requestId,
      author: actor.username,
    }))
    await notifyUsers(transaction, events, { now, isUnread: true })
  }
}
