import { currentTimestamp } from '../../base/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { DeliveredEvent, WebhookTemplate } from './webhook-request.ts'

/** A webhook with everything that its requests depend on. */
interface SentWebhook extends WebhookTemplate {
  readonly verifiesCertificate: boolean
  readonly authorityFile: string | null
  /** Seconds; null for the default limit. */
  readonly timeout: number | null
}

/** An event for a webhook. */
export interface SentEvent extends DeliveredEvent {
  readonly deliveryId: string
  readonly webhook: SentWebhook
}

/** A delivery that this process has to send. */
export interface ClaimedDelivery extends SentEvent {
  readonly id: number
  readonly webhookId: number
  readonly failures: number
}

/** Columns of a webhook, as the names of `SentWebhook`. */
const WEBHOOK_COLUMNS = sql`
  w.payload_url as url, w.http_method as method, w.http_content_type as "contentType",
  w.additional_headers as headers, w.body_template as body, w.secret,
  w.ssl_verification as "verifiesCertificate", w.ca_file_path as "authorityFile", w.timeout`

/** The webhook; undefined if there is none with the id. */
export async function sentWebhook(queryable: Queryable, id: number): Promise<SentWebhook | undefined> {
  const [webhook] = await queryable.query<Record<string, unknown> & SentWebhook>(
    sql`select ${WEBHOOK_COLUMNS} from ${table(SYSTEM.webhook)} w where w.id = ${id}::bigint`,
  )
  return webhook
}

/** Maximum number of deliveries that a process may claim, per webhook. */
export interface Room {
  /** For webhooks that `others` does not name. */
  readonly usual: number
  readonly others: ReadonlyMap<number, number>
}

/** Columns of a claim, which show a change by a worker. */
const CLAIM = ['leased_by', 'leased_until'] as const

/**
 * Whether the change may mean that another delivery can be sent: always, unless a worker made the change and checks
 * this itself.
 */
export const mayMakeDue = ({ columns }: { readonly columns: ReadonlySet<string> | undefined }) =>
  !columns?.has(CLAIM[0])

/**
 * Id of the first unfinished delivery of the same webhook and object as `d`. In the order of its index, so that
 * PostgreSQL uses that index even with a plan made when there were no deliveries: any other plan takes time quadratic
 * in their number.
 */
const firstOpen = (deliveries: Sql): Sql => sql`(
  select e.id from ${deliveries} e
  where e.webhook_id = d.webhook_id and e.object_type = d.object_type and e.object_id = d.object_id
    and e.next_attempt is not null
  order by e.webhook_id, e.object_type, e.object_id, e.id
  limit 1)`

/**
 * Claims due deliveries for the process `worker` until `until`. For each object, a webhook gets one delivery at a time,
 * so that they arrive in the order of the changes. Each webhook has its own share, however many deliveries of other
 * webhooks are due.
 */
export async function claimDeliveries(
  { clock }: Pick<Service, 'clock'>,
  transaction: Transaction,
  worker: string,
  until: string,
  room: Room,
): Promise<readonly ClaimedDelivery[]> {
  const now = currentTimestamp(clock)
  const full = [...room.others].flatMap(([webhook, count]) => (count === 0 ? [webhook] : []))
  const open = [...room.others].filter(([, count]) => count > 0)
  const deliveries = table(SYSTEM.webhookDelivery)
  const isFree = sql`(d.leased_until is null or d.leased_until < ${now}::timestamptz)`
  const due = await transaction.query<{ id: number }>(sql`
    select d.id
    from ${table(SYSTEM.webhook)} w
    left join unnest(${open.map(([webhook]) => webhook)}::bigint[],
      ${open.map(([, count]) => count)}::bigint[]) as r(webhook, count) on r.webhook = w.id
    cross join lateral (
      select d.id from ${deliveries} d
      where d.webhook_id = w.id and d.next_attempt <= ${now}::timestamptz and ${isFree}
        and ${firstOpen(deliveries)} >= d.id
      order by d.webhook_id, d.next_attempt, d.delivery_id
      limit coalesce(r.count, ${room.usual}::bigint)
    ) d
    where w.id <> all(${full}::bigint[])`)
  if (due.length === 0) return []
  const ids = due.map(({ id }) => id)
  return await transaction
    .query<ClaimedRow>(sql`
    with claimed as (
      ${updateTable(SYSTEM.webhookDelivery, { rows: ids, columns: CLAIM })} t set leased_by = ${worker}, leased_until = ${until}::timestamptz
      where t.id in (
        select d.id from ${deliveries} d
        where d.id = any(${ids}::bigint[]) and d.next_attempt is not null and ${isFree}
        for update skip locked)
      returning t.*
    )
    select d.id, d.delivery_id as "deliveryId", d.webhook_id as "webhookId", d.failures,
      d.event_type as event, d.object_type as "objectType", d.action_data as "actionData",
      d.payload->>'username' as username, d.payload->>'request_id' as "requestId",
      d.payload->>'timestamp' as timestamp, (d.payload->'data')::text as data,
      nullif((d.payload->'request')::text, 'null') as request,
      nullif((d.payload->'snapshots')::text, 'null') as snapshots, (d.payload->'date')::text as date,
      ${WEBHOOK_COLUMNS}
    from claimed d join ${table(SYSTEM.webhook)} w on w.id = d.webhook_id
    order by d.id`)
    .then((rows) => rows.map(claimedOf))
}

type ClaimedRow = Record<string, unknown> & Omit<ClaimedDelivery, 'webhook'> & ClaimedDelivery['webhook']

const claimedOf = ({
  url,
  method,
  contentType,
  headers,
  body,
  secret,
  verifiesCertificate,
  authorityFile,
  timeout,
  ...delivery
}: ClaimedRow): ClaimedDelivery => ({
  ...delivery,
  webhook: {
    ...{ url, method, contentType, headers, body, secret },
    ...{ verifiesCertificate, authorityFile, timeout },
  },
})

/** Extends the claims of the process. Claims that another process has taken over meanwhile stay with that process. */
export async function renewClaims(queryable: Queryable, worker: string, until: string): Promise<void> {
  await queryable.execute(sql`
    ${updateTable(SYSTEM.webhookDelivery)} set leased_until = ${until}::timestamptz
    where leased_by = ${worker} and next_attempt is not null`)
}

/** Releases the claims of the process, so that the deliveries can be claimed at once. */
export async function releaseClaims(queryable: Queryable, worker: string): Promise<void> {
  await queryable.execute(sql`
    ${updateTable(SYSTEM.webhookDelivery)} set leased_by = null, leased_until = null
    where leased_by = ${worker} and next_attempt is not null`)
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly id: number
  readonly status: 'delivered' | 'retrying' | 'dead'
  readonly nextAttempt: string | null
  readonly responseStatus: number | null
  /** JSON text for the delivery's list of attempts. */
  readonly attempt: string
  readonly completed: string | null
}

/** Columns that the record of an attempt changes. */
const RECORDED = [
  ...['status', 'next_attempt', 'completed', 'response_status', 'attempt_count', 'failures'],
  ...['attempts', ...CLAIM],
]

/** Maximum number of attempts that a delivery shows. */
const MOST_ATTEMPTS = 20

/**
 * Records attempts. A delivery that was canceled meanwhile stays canceled, unless it has been delivered. Returns the
 * ids of the deliveries that are now dead.
 */
export async function recordAttempts(
  queryable: Queryable,
  results: readonly AttemptResult[],
): Promise<readonly number[]> {
  const column = <Key extends keyof AttemptResult>(key: Key) => results.map((result) => result[key])
  const isOpen = sql`(d.next_attempt is not null or q.status = 'delivered')`
  const change = { rows: column('id'), columns: RECORDED }
  const rows = await queryable.query<{ id: number }>(sql`
    ${updateTable(SYSTEM.webhookDelivery, change)} d set
      status = case when ${isOpen} then q.status else d.status end,
      next_attempt = case when d.next_attempt is null then null else q.next_attempt end,
      completed = case when ${isOpen} then q.completed else d.completed end,
      response_status = q.response_status,
      attempt_count = d.attempt_count + 1,
      failures = d.failures + (q.status <> 'delivered')::int,
      attempts = (d.attempts || q.attempt::jsonb)[greatest(1, cardinality(d.attempts) + 2 - ${MOST_ATTEMPTS}::int):],
      leased_by = null, leased_until = null
    from unnest(${column('id')}::bigint[], ${column('status')}::text[],
      ${column('nextAttempt')}::timestamptz[], ${column('responseStatus')}::int[],
      ${column('attempt')}::text[], ${column('completed')}::timestamptz[])
      as q(id, status, next_attempt, response_status, attempt, completed)
    where d.id = q.id
    returning case when d.status = 'dead' then d.id end as id`)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}
