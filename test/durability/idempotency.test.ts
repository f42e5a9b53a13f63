import { expect, it, onTestFinished } from 'vitest'
import { crash, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { runSize } from '../support/run-size.ts'
import { SERVER_TOKEN, type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 6, usual: 3 })
/** Keyed requests of a round, sent at once. */
const REQUESTS = 40
/** Number of responses after which the server is killed. */
const KILLED_AFTER = 8

/** The allocated address; undefined if the service or its database has been killed. */
async function allocate(server: ServerProcess, key: string): Promise<string | undefined> {
  const response = await fetch(`${server.url}/api/ipam/prefixes/1/available-ips/`, {
    method: 'POST',
    headers: {
      authorization: `Token ${SERVER_TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: '{}',
  }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  if (response === undefined || text === undefined || response.status === 503) return undefined
  expect(response.status, text).toBe(201)
  return String((JSON.parse(text) as { address: unknown }).address)
}

it(`kill -9 of the service, its server or a backend during allocations, ${ROUNDS} times: each key allocates one address, the one in the response`, async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  let server = await startServer(environment)
  onTestFinished(() => server.kill())
  const answered = new Map<string, string>()
  const keys: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    if (round === 0) await send(server, 'POST', '/api/ipam/prefixes/', { prefix: '10.0.0.0/22' })
    const { promise: isTime, resolve } = Promise.withResolvers<void>()
    let answers = 0
    const asking = Array.from({ length: REQUESTS }, async (_, index) => {
      const key = `${round}-${index}`
      keys.push(key)
      const address = await allocate(server, key)
      if (address !== undefined) answered.set(key, address)
      answers += 1
      if (answers === KILLED_AFTER) resolve()
    })
    await isTime
    const crashed = crash(server, environment, victimOf(round))
    await Promise.all(asking)
    server = await crashed
  }
  const again = new Map<string, string | undefined>()
  for (const key of keys) again.set(key, await allocate(server, key))
  for (const [key, address] of answered) expect(again.get(key)).toBe(address)
  expect(new Set(again.values()).size).toBe(keys.length)
  const list = await send(server, 'GET', '/api/ipam/ip-addresses/?limit=1')
  expect(((await list.json()) as { count: number }).count).toBe(keys.length)
})
