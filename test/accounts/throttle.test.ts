import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table, updateTable } from '../../src/sql/table.ts'
import { type Api, apiOfTest, startApi, startApiOver } from '../support/api.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'

const RIGHT = 'Corr3ct-Horse-Battery'
const LIMITS = { loginFailureLimit: 3, loginFailureAddressLimit: 6, TRUST_PROXY: 'true' }
const PEPPERS = { API_TOKEN_PEPPERS: JSON.stringify({ 1: 'p'.repeat(50) }) }

const makeUser = (api: Api, username: string) =>
  api.ask('POST', '/api/users/users/', { body: { username, password: RIGHT } })

/** Status of a request for a token. */
const attempt = async (api: Api, username: string, password: string, from: string) =>
  (await tryIn(api, username, password, from)).status

const tryIn = (api: Api, username: string, password: string, from: string) =>
  api.ask('POST', '/api/users/tokens/provision/', {
    token: null,
    headers: { 'x-forwarded-for': from },
    body: { username, password },
  })

interface Attempt {
  readonly as: string
  readonly password?: string
  readonly from: string
  readonly status: number
}

const wrong = (as: string, from: string, status = 403): Attempt => ({ as, from, status })
const right = (as: string, from: string, status = 201): Attempt => ({
  as,
  password: RIGHT,
  from,
  status,
})

const cases: readonly { readonly name: string; readonly attempts: readonly Attempt[] }[] = [
  {
    name: 'an account waits after three failures from wherever, and other accounts do not',
    attempts: [
      wrong('ann', '192.0.2.1'),
      wrong('ann', '192.0.2.2'),
      wrong('ann', '192.0.2.3'),
      right('ann', '192.0.2.4', 429),
      right('ann', '192.0.2.1', 429),
      right('bob', '192.0.2.1'),
    ],
  },
  {
    name: 'a name that nobody has is treated in the same way',
    attempts: [
      wrong('nobody', '192.0.2.11'),
      wrong('nobody', '192.0.2.11'),
      wrong('nobody', '192.0.2.11'),
      wrong('nobody', '192.0.2.11', 429),
    ],
  },
  {
    name: 'a name in other letters is the same account',
    attempts: [
      wrong('cid', '192.0.2.21'),
      wrong('CID', '192.0.2.21'),
      wrong('Cid', '192.0.2.21'),
      right('cid', '192.0.2.21', 429),
    ],
  },
  {
    name: 'an address waits after six failures for whatever account, and other addresses do not',
    attempts: [
      ...['x1', 'x2', 'x3', 'x4', 'x5', 'x6'].map((name) => wrong(name, '192.0.2.31')),
      right('dot', '192.0.2.31', 429),
      right('dot', '192.0.2.32'),
    ],
  },
  {
    name: 'a network of IPv6 is one address',
    attempts: [
      ...[1, 2, 3, 4, 5, 6].map((n) => wrong(`y${n}`, `2001:db8::${n}`)),
      right('dot', '2001:db8::7', 429),
      right('dot', '2001:db8:0:1::7'),
    ],
  },
  {
    name: 'success forgets the failures of the account',
    attempts: [
      wrong('eve', '192.0.2.41'),
      wrong('eve', '192.0.2.42'),
      right('eve', '192.0.2.43'),
      wrong('eve', '192.0.2.44'),
      wrong('eve', '192.0.2.45'),
      right('eve', '192.0.2.46'),
    ],
  },
  {
    name: 'success does not forget the failures of the address',
    attempts: [
      ...['z1', 'z2', 'z3'].map((name) => wrong(name, '192.0.2.51')),
      right('fay', '192.0.2.51'),
      ...['z4', 'z5', 'z6'].map((name) => wrong(name, '192.0.2.51')),
      right('fay', '192.0.2.51', 429),
    ],
  },
]

describe('failed logins', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi(LIMITS)
    for (const name of ['ann', 'bob', 'cid', 'dot', 'eve', 'fay', 'gus', 'hal', 'ida']) {
      await makeUser(api, name)
    }
  })
  afterAll(() => api.close())

  it.each(cases)('$name', async ({ attempts }) => {
    for (const { as, password = 'wrong', from, status } of attempts) {
      expect([as, from, await attempt(api, as, password, from)]).toEqual([as, from, status])
    }
  })

  it('returns the time to wait, and accepts logins after that time', async () => {
    for (const from of ['192.0.2.61', '192.0.2.62', '192.0.2.63']) {
      await attempt(api, 'gus', 'wrong', from)
    }
    const refused = await tryIn(api, 'gus', RIGHT, '192.0.2.64')
    const seconds = Number(refused.headers.get('retry-after'))
    expect(refused.status).toBe(429)
    expect(refused.json.detail).toContain(`${seconds} seconds`)
    expect(seconds).toBeGreaterThan(880)
    expect(seconds).toBeLessThanOrEqual(900)
    await api.service.database.execute(
      sql`${updateTable('users.loginfailures')} set ends = now() - interval '1 second'`,
    )
    expect(await attempt(api, 'gus', RIGHT, '192.0.2.64')).toBe(201)
  })

  it('concurrent guesses cannot exceed the limit', async () => {
    const guesses = Array.from({ length: 20 }, (_, n) => attempt(api, 'hal', 'wrong', `198.51.100.${n}`))
    const statuses = await Promise.all(guesses)
    expect(statuses.filter((status) => status === 403)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(17)
  })

  it('deletes expired failures, and stores no names', async () => {
    const { database } = api.service
    await database.execute(sql`${updateTable('users.loginfailures')} set ends = now() - interval '1 second'`)
    await attempt(api, 'ida', 'wrong', '192.0.2.71')
    const rows = await database.query(sql`select t::text as text from ${table('users.loginfailures')} t`)
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toMatch(/ida|192\.0/)
  })
})

describe('limits of failed logins', () => {
  it('are ten for an account', async () => {
    const api = await apiOfTest()
    for (let n = 0; n < 10; n++) expect(await attempt(api, 'admin', 'wrong', '')).toBe(403)
    expect(await attempt(api, 'admin', 'admin', '')).toBe(429)
  })

  it('are counted across all nodes of a service', async () => {
    const url = await createTestDatabase('migrated')
    const node = () =>
      startApiOver(openPostgres({ url, poolSize: 4, statementTimeout: 0 }), {
        ...LIMITS,
        ...PEPPERS,
      })
    const nodes = [await node(), await node()] as const
    try {
      await makeUser(nodes[0], 'ann')
      const statuses: number[] = []
      for (const [n, password] of ['wrong', 'wrong', 'wrong', RIGHT].entries()) {
        statuses.push(await attempt(nodes[n % 2 === 0 ? 0 : 1], 'ann', password, `192.0.2.${n}`))
      }
      expect(statuses).toEqual([403, 403, 403, 429])
    } finally {
      for (const each of nodes) await each.close()
      await dropTestDatabase(url)
    }
  })

  it('ignore forwarded addresses from untrusted clients', async () => {
    const api = await apiOfTest({ ...LIMITS, TRUST_PROXY: 'false' })
    for (let n = 0; n < 6; n++) {
      expect(await attempt(api, `x${n}`, 'wrong', `192.0.2.${n}`)).toBe(403)
    }
    expect(await attempt(api, 'admin', 'admin', '192.0.2.99')).toBe(429)
  })
})
