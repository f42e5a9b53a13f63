import { randomBytes } from 'node:crypto'
import { currentTimestamp } from '../../base/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { insertInto, ONLY_INSERTS, table } from '../../sql/table.ts'

/** A delivery of an event of the stream to a webhook. */
export interface NewDelivery {
  /** Id of the event. */
  readonly event: number
  readonly webhook: number
  readonly rule: number
  /** JSON text of an object. */
  readonly actionData: string | null
}

/** Queues deliveries, in this order; those of deleted webhooks are left out. */
export async function queueDeliveries(
  transaction: Transaction,
  deliveries: readonly NewDelivery[],
  { clock }: Pick<Service, 'clock'>,
): Promise<void> {
  if (deliveries.length === 0) return
  const now = currentTimestamp(clock)
  const ids = deliveries.map(() => deliveryId(clock.now()))
  const column = <Key extends keyof NewDelivery>(key: Key) => deliveries.map((delivery) => delivery[key])
  await transaction.execute(sql`
    ${insertInto(SYSTEM.webhookDelivery, ONLY_INSERTS)} (webhook_id, event_rule_id, delivery_id,
      event_type, object_type, object_id, status, created, next_attempt, attempt_count, failures,
      attempts, payload, action_data)
    select w.id, q.rule, q.delivery, e.payload->>'event', e.payload->>'object_type',
      (e.payload->>'object_id')::bigint, 'queued', ${now}::timestamptz, ${now}::timestamptz, 0, 0,
      '{}', e.payload, q.action_data::json
    from unnest(${column('event')}::bigint[], ${column('webhook')}::bigint[],
      ${column('rule')}::bigint[], ${ids}::uuid[], ${column('actionData')}::text[])
      with ordinality as q(event, webhook, rule, delivery, action_data, place)
    join ${table(SYSTEM.event)} e on e.id = q.event
    join ${table(SYSTEM.webhook)} w on w.id = q.webhook
    order by q.place`)
}

/** Bits of the counter after the milliseconds: ids of the same millisecond are in the order of their creation. */
const COUNTER = 0x1000

let last = 0
let count = 0

/** A UUID of version 7 at the time `now`, in milliseconds: later ids of this process sort after earlier ones. */
export function deliveryId(now: number): string {
  if (now > last) {
    last = now
    count = 0
  } else if (++count === COUNTER) {
    last += 1
    count = 0
  }
  const time = last.toString(16).padStart(12, '0')
  const order = count.toString(16).padStart(3, '0')
  const random = randomBytes(8)
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  const randomPart = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomPart.slice(0, 4)}-${randomPart.slice(4)}`
}
