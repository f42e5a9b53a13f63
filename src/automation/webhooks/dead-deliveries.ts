import { currentMoment } from '../../clock.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto, table } from '../../sql/table.ts'

/** Notifies the active superusers of the webhooks whose deliveries with these ids will not be attempted again. */
export async function notifyOfDeadDeliveries(
  { clock }: Pick<Service, 'clock'>,
  transaction: Queryable,
  ids: readonly number[],
): Promise<void> {
  await transaction.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr)
    select distinct ${SYSTEM.webhook}::text, w.id, u.id, ${currentMoment(clock)}::timestamptz,
      'job_failed', left(w.name, 200)
    from ${table(SYSTEM.webhookDelivery)} d
    join ${table(SYSTEM.webhook)} w on w.id = d.webhook_id
    cross join ${table(SYSTEM.user)} u
    where d.id = any(${ids}::bigint[]) and u.is_superuser and u.is_active
    on conflict (object_type, object_id, user_id)
    do update set created = excluded.created, event_type = excluded.event_type, read = null`)
}
