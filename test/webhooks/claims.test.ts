import { expect, it } from 'vitest'
import { claimDeliveries } from '../../src/automation/webhooks/delivery-queue.ts'
import { raw, sql } from '../../src/sql/fragment.ts'
import { insertInto } from '../../src/sql/table.ts'
import { apiOfTest } from '../support/api.ts'

/** The index of the deliveries of one webhook and object that are not completed. */
const BY_OBJECT = 'extras_webhookdelivery_webhook_object_type_object_id_id_unique'

it('a claim that was planned without deliveries finds the earlier ones of an object by an index', async () => {
  const { service } = await apiOfTest()
  const { database } = service
  const until = new Date().toISOString()
  const room = { usual: 1, others: new Map() }
  // A statement is prepared when it is sent for the second time, and planned once.
  for (let turn = 0; turn < 3; turn++) {
    await database.transaction((transaction) => claimDeliveries(service, transaction, 'worker', until, room))
  }
  const prepared = await database.query<{ name: string }>(sql`
    select name from pg_prepared_statements where statement like '%limit coalesce(r.count%'
      and statement like '%leased_until%' and name like 'c%'`)
  expect(prepared).toHaveLength(1)
  const plan = await database.transaction(async (transaction) => {
    const explain = `explain execute ${prepared[0]?.name}('{}', '{}', now(), now(), 9, '{}')`
    const rows = await transaction.queryArrays(raw(explain))
    return rows.flat().join('\n')
  })
  expect(plan).toContain(`Index Only Scan using ${BY_OBJECT}`)
})

it('deliveries of one webhook do not displace those of another, however many are due', async () => {
  const { service, ask } = await apiOfTest()
  const { database } = service
  const hooks: number[] = []
  for (const name of ['busy', 'other']) {
    const body = { name, payload_url: 'https://example.com/' }
    hooks.push(Number((await ask('POST', '/api/extras/webhooks/', { body })).json.id))
  }
  const [busy, other] = hooks
  const queue = (webhook: number | undefined, count: number) =>
    database.execute(sql`
      ${insertInto('extras.webhookdelivery')} (webhook_id, delivery_id, event_type, object_type,
        object_id, status, created, next_attempt, attempt_count, failures, attempts, payload)
      select ${webhook}::bigint, gen_random_uuid(), 'object_updated', 'dcim.site', n, 'queued',
        now(), now(), 0, 0, '{}', '{"data": {}}' from generate_series(1, ${count}::int) n`)
  await queue(busy, 2_000)
  await queue(other, 1)
  const until = new Date(Date.now() + 60_000).toISOString()
  const room = { usual: 2, others: new Map() }
  const claimed = await database.transaction((transaction) =>
    claimDeliveries(service, transaction, 'worker', until, room),
  )
  expect(claimed.map(({ webhookId }) => webhookId)).toEqual([busy, busy, other])
})
