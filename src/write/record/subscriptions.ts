import { displayOf } from '../../read/query/display.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, insertInto, table } from '../../sql/table.ts'
import { cachedDefinitions } from '../cached.ts'
import type { WriteContext } from '../context.ts'
import { viewersOf } from './viewers.ts'

/**
 * Notifies the subscribers who may view the saved or soon deleted objects. Each gets one unread notification, which
 * replaces the previous one for the object; a dry run and a branch notify no one. NetBox 4.6.8 extras/signals.py.
 */
export async function notifySubscribers(
  context: WriteContext,
  model: Model,
  written: readonly number[],
  event: 'object_updated' | 'object_deleted',
): Promise<void> {
  if (context.wouldChange || context.service.branch || !model.has('notifications') || written.length === 0) return
  const ids = await subscribedOf(context, model, written)
  if (ids.length === 0) return
  const { service, transaction, now, requestId, actor } = context
  const subscribed = sql`
    from ${table(SYSTEM.subscription)} s
    where s.object_type = ${model.name} and s.object_id = any(${ids}::bigint[])`
  const viewers = await viewersOf(service, transaction, { model, ids }, sql`select s.user_id ${subscribed}`)
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
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, request, author, object_repr)
    select ${model.name}::text, s.object_id, s.user_id, ${now}::timestamptz, ${event}::text,
      ${requestId}::uuid, ${actor.username}::text, left((select ${displayOf(model, sql`t`)} from ${table(model)} t where t.id = s.object_id), 200)
    ${subscribed} and ${permitted}`)
}

/** Number of subscribed objects of a type from which all of its objects count as subscribed. */
const MANY = 1_000

/** The objects to which somebody may have subscribed, so that most writes need no further query. */
async function subscribedOf(
  context: WriteContext,
  { name }: Model,
  ids: readonly number[],
): Promise<readonly number[]> {
  const objects = (await subscribedObjects(context)).get(name)
  if (objects === undefined) return []
  return objects === 'many' ? ids : ids.filter((id) => objects.has(id))
}

/** Ids of the subscribed objects by their type. */
async function subscribedObjects(context: WriteContext): Promise<ReadonlyMap<string, ReadonlySet<number> | 'many'>> {
  const { service, transaction } = context
  if (!service.registry.models.has(SYSTEM.subscription)) return new Map()
  return await cachedDefinitions(context, 'subscribed objects', async () => {
    const rows = await transaction.query<{ type: string; ids: number[] | null }>(sql`
      select object_type as type, case when count(*) < ${MANY}::bigint then array_agg(object_id) end as ids
      from ${table(SYSTEM.subscription)} group by object_type`)
    return new Map(rows.map(({ type, ids }) => [type, ids ? new Set(ids) : 'many']))
  })
}
