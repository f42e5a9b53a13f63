import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { databaseUrlOfTest } from '../support/database.ts'
import { mailReceiverOfTest } from '../support/mail-receiver.ts'
import { SERVER_TOKEN, type ServerProcess, startServer } from '../support/server.ts'

const DAY = 86_400_000

it('a contract that ends in 90 days causes one e-mail, with two processes and a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-dates-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const mail = await mailReceiverOfTest()
  const settings = { DATA_DIR: directory, DATABASE_URL: await databaseUrlOfTest('migrated'), ...mail.environment }
  const start = async (): Promise<ServerProcess> => {
    const server = await startServer(settings)
    onTestFinished(() => server.kill())
    return server
  }
  const [first, second] = [await start(), await start()]
  const ask = async (server: ServerProcess, method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}/api/${path}/`, {
      method,
      headers: { authorization: `Token ${SERVER_TOKEN}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.status, text).toBeLessThan(300)
    return JSON.parse(text)
  }
  const custom = { name: 'ends', type: 'datetime', object_types: ['dcim.site'] }
  await ask(first, 'POST', 'extras/custom-fields', custom)
  const user = { username: 'ann', password: 'Long-enough-1', email: 'ann@example.com' }
  const { id: member } = await ask(first, 'POST', 'users/users', user)
  await ask(first, 'POST', 'users/permissions', {
    ...{ name: 'p', users: [member], object_types: ['dcim.site'], actions: ['view'] },
  })
  const { id: group } = await ask(first, 'POST', 'extras/notification-groups', { name: 'g', users: [member] })
  const { id: rule } = await ask(first, 'POST', 'extras/event-rules', {
    ...{ name: 'contracts', object_types: ['dcim.site'], event_types: ['date_reached'] },
    ...{ date_field: 'cf_ends', date_offset: -90, action_type: 'email' },
    ...{ action_object_type: 'extras.notificationgroup', action_object_id: group },
  })
  const ends = new Date(Date.now() + 90 * DAY + 500).toISOString()
  for (const name of ['a', 'b', 'c']) {
    await ask(first, 'POST', 'dcim/sites', { name, slug: name, custom_fields: { ends } })
  }
  await sleep(1_000)
  /** Makes both processes search at once, several times. */
  const wake = async (servers: readonly ServerProcess[]) => {
    for (let turn = 0; turn < 5; turn += 1) {
      await Promise.all(
        servers.map((server) => ask(server, 'PATCH', `extras/event-rules/${rule}`, { description: `${turn}` })),
      )
      await sleep(100)
    }
  }
  await wake([first, second])
  // One of them is restarted while it works.
  await first.stop()
  await wake([second])
  await wake([await start(), second])
  await expect.poll(() => mail.received.length).toBe(3)
  await sleep(3_000)
  expect(mail.received.map(({ subject }) => subject).sort()).toEqual(
    ['a', 'b', 'c'].map((name) => `Date reached: site ${name}`),
  )
  expect(mail.received[0]?.source).toContain('Date: cf_ends ')
  const { results } = await ask(second, 'GET', `extras/event-rules/${rule}/due`)
  expect(results.map(({ acted }: { acted: string | null }) => acted !== null)).toEqual([true, true, true])
})
