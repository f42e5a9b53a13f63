import { expect, it, onTestFinished } from 'vitest'
import { runSize } from '../support/run-size.ts'
import { SERVED_STORAGES } from '../support/served-storages.ts'
import { SERVER_TOKEN, type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 4, usual: 2 })
/** Keyed requests of a round, sent at once. */
const REQUESTS = 40
/** Number of responses after which the server is killed. */
const KILLED_AFTER = 8

/** The allocated address; undefined if the server has been killed. */
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
  if (response === undefined || text === undefined) return undefined
  expect(response.status, text).toBe(201)
  return String((JSON.parse(text) as { address: unknown }).address)
}

it.each(SERVED_STORAGES)(
  `$storage: kill -9 during allocations, ${ROUNDS} times: each key allocates one address, the one in the response`,
  async ({ settings }) => {
    const environment = await settings()
    const answered = new Map<string, string>()
    const keys: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer(environment)
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
      await server.kill()
      await Promise.all(asking)
    }
    const server = await startServer(environment)
    onTestFinished(() => server.kill())
    const again = new Map<string, string | undefined>()
    for (const key of keys) again.set(key, await allocate(server, key))
    for (const [key, address] of answered) expect(again.get(key)).toBe(address)
    expect(new Set(again.values()).size).toBe(keys.length)
    const list = await send(server, 'GET', '/api/ipam/ip-addresses/?limit=1')
    expect(((await list.json()) as { count: number }).count).toBe(keys.length)
  },
)
