import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queryable } from '../../src/sql/queryable.ts'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { type Api, startApiOver } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'

let api: Api
let statements = 0

const count =
  <A extends unknown[], R>(ask: (...given: A) => R) =>
  (...given: A): R => {
    statements += 1
    return ask(...given)
  }

/** The same, with each statement counted. */
const counted = <Q extends Queryable>(source: Q): Q => ({
  ...source,
  query: count(source.query),
  queryArrays: count(source.queryArrays),
  queryColumn: count(source.queryColumn),
  execute: count(source.execute),
})

beforeAll(async () => {
  api = await startApiOver(counted(await openTestDatabase('migrated')))
  await loadDemo(api.service)
})
afterAll(() => api.close())

/** Statements of a page. */
async function statementsOf(path: string): Promise<number> {
  const before = statements
  const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
  expect(status, text.slice(0, 500)).toBe(200)
  return statements - before
}

// Another object of the same type was shown before, so everything that all pages share is cached.
const pages = [
  { name: 'list of devices', before: '/dcim/devices/?limit=1', path: '/dcim/devices/', most: 21 },
  { name: 'device', before: '/dcim/devices/1/', path: '/dcim/devices/3/', most: 16 },
  {
    name: 'form of a device',
    before: '/dcim/devices/1/edit/',
    path: '/dcim/devices/3/edit/',
    most: 34,
  },
  // Three of them find the interfaces before and after it.
  { name: 'interface', before: '/dcim/interfaces/1/', path: '/dcim/interfaces/20/', most: 23 },
  {
    name: 'form of an interface',
    before: '/dcim/interfaces/1/edit/',
    path: '/dcim/interfaces/20/edit/',
    most: 26,
  },
  { name: 'prefix', before: '/ipam/prefixes/1/', path: '/ipam/prefixes/2/', most: 16 },
  {
    name: 'form of a prefix',
    before: '/ipam/prefixes/1/edit/',
    path: '/ipam/prefixes/2/edit/',
    most: 14,
  },
  { name: 'site', before: '/dcim/sites/1/', path: '/dcim/sites/2/', most: 19 },
]

describe.each(pages)('the page: $name', ({ before, path, most }) => {
  it(`needs at most ${most} statements, and few when it is shown again`, async () => {
    await statementsOf(before)
    expect(await statementsOf(path)).toBeLessThanOrEqual(most)
    expect(await statementsOf(path)).toBeLessThanOrEqual(5)
  })
})
