import { expect, it } from 'vitest'
import { raw, sql } from '../../src/sql/fragment.ts'
import { claimDeliveries } from '../../src/webhooks/delivery-queue.ts'
import { apiOfTest } from '../support/api.ts'
import { openMemory } from '../support/database.ts'

/** The index of the deliveries of one webhook and object that are not completed. */
const BY_OBJECT = 'extras_webhookdelivery_webhook_object_type_object_id_id_unique'

it('a claim that was planned without deliveries finds the earlier ones of an object by their index', async () => {
  const { service } = await apiOfTest(openMemory)
  const { database } = service
  const until = new Date().toISOString()
  const room = { usual: 1, others: new Map() }
  // A statement is prepared when it comes for the second time, and planned once.
  for (let turn = 0; turn < 3; turn++) {
    await database.transaction((transaction) =>
      claimDeliveries(service, transaction, 'worker', until, room),
    )
  }
  const prepared = await database.query<{ name: string }>(sql`
    select name from pg_prepared_statements where statement like '%place <= coalesce(r.count%'
      and statement like '%leased_until%' and name like 'c%'`)
  expect(prepared).toHaveLength(1)
  const plan = await database.transaction(async (transaction) => {
    const explain = `explain execute ${prepared[0]?.name}(now(), now(), '{}', 9, '{}', '{}', 9)`
    const rows = await transaction.queryArrays(raw(explain))
    return rows.flat().join('\n')
  })
  expect(plan).toContain(`Index Only Scan using ${BY_OBJECT}`)
})
