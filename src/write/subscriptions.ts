import { displayOf } from '../query/display.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { deleteFrom, insertInto, table } from '../sql/table.ts'
import { cachedDefinitions } from './cached.ts'
import type { WriteContext } from './context.ts'
import { viewersOf } from './viewers.ts'

/**
 * Notifies the subscribers who may view the objects of a save or a coming deletion. Each gets one unread notification, which
 * replaces the previous one for the object; a dry run notifies no one. NetBox 4.6.8 extras/signals.py.
 */
export async function notifySubscribers(
  context: WriteContext,
  model: Model,
  ids: readonly number[],
  event: 'object_updated' | 'object_deleted',
): Promise<void> {
  if (context.wouldChange || !model.has('notifications') || ids.length === 0) return
  if (!(await subscribedTypes(context)).has(model.name)) return
  const { service, transaction, now } = context
  const subscribed = sql`
    from ${table(SYSTEM.subscription)} s
    where s.object_type = ${model.name} and s.object_id = any(${ids}::bigint[])`
  const viewers = await viewersOf(
    service,
    transaction,
    { model, ids },
    sql`select s.user_id ${subscribed}`,
  )
  const pairs = [...viewers].flatMap(([id, users]) => users.map((user) => ({ id, user })))
  if (pairs.length === 0) return
  const permitted = sql`exists (
    select 1 from unnest(${pairs.map(({ id }) => id)}::bigint[], ${pairs.map(({ user }) => user)}::bigint[])
      as q(object_id, user_id) where q.object_id = s.object_id and q.user_id = s.user_id)`
  await transaction.execute(sql`
    ${deleteFrom(SYSTEM.notification)} n
    where n.object_type = ${model.name} and n.object_id = any(${ids}::bigint[])
      and exists (select ${subscribed} and s.object_id = n.object_id and s.user_id = n.user_id and ${permitted})`)
  await transaction.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr)
    select ${model.name}::text, s.object_id, s.user_id, ${now}::timestamptz, ${event}::text,
      left((select ${displayOf(model, sql`t`)} from ${table(model)} t where t.id = s.object_id), 200)
    ${subscribed} and ${permitted}`)
}

/** Types with any subscriptions: most writes need no further query. */
async function subscribedTypes(context: WriteContext): Promise<ReadonlySet<string>> {
  const { service, transaction } = context
  if (!service.registry.models.has(SYSTEM.subscription)) return new Set()
  return await cachedDefinitions(context, 'subscribed types', async () => {
    const rows = await transaction.query<{ type: string }>(
      sql`select distinct object_type as type from ${table(SYSTEM.subscription)}`,
    )
    return new Set(rows.map(({ type }) => type))
  })
}
