import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { type Sql, sql } from '../../src/sql/fragment.ts'
import { type Api, startApiOver } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'

const ADDRESSES = 1_000

let api: Api
let database: Database
let windows: Sql[] = []

beforeAll(async () => {
  database = await openTestDatabase('migrated')
  const query: Database['query'] = (statement) => {
    if (statement.text.includes('"isTaken"')) windows.push(statement)
    return database.query(statement)
  }
  api = await startApiOver({ ...database, query })
  const { json: vrf } = await api.ask('POST', '/api/ipam/vrfs/', { body: { name: 'Blue' } })
  for (const owner of [null, Number(vrf.id)]) {
    const addresses = Array.from({ length: ADDRESSES }, (_, index) => ({
      ...{ vrf: owner, address: `10.0.${index >> 8}.${index & 255}/16` },
    }))
    await api.ask('POST', '/api/ipam/ip-addresses/', { body: addresses })
    await api.ask('POST', '/api/ipam/prefixes/', { body: { vrf: owner, prefix: '10.0.0.0/16' } })
  }
})
afterAll(() => api.close())

it.each([
  ['in the global table', '/ipam/prefixes/1/'],
  ['in a VRF', '/ipam/prefixes/2/'],
])('the first addresses of a prefix are read without the others: %s', async (_name, path) => {
  windows = []
  const { status } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
  expect(status).toBe(200)
  expect(windows).toHaveLength(1)
  for (const statement of windows) {
    const lines = (await database.queryArrays(sql`explain analyze ${statement}`)).map(String)
    const scans = lines.filter((line) => line.includes('on ipam_ipaddress'))
    expect(scans).toHaveLength(1)
    const rows = scans.map((line) => Number(/actual.*rows=([\d.]+)/.exec(line)?.[1]))
    expect(Math.max(...rows), lines.join('\n')).toBeLessThan(ADDRESSES / 2)
  }
})
