import { beforeEach, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import type { Database } from '../../src/storage/database.ts'
import { asOneRequest } from '../../src/storage/query-groups.ts'
import { databaseOfTest, openServerDatabase } from '../support/database.ts'

let database: Database
beforeEach(async () => {
  database = await databaseOfTest(openServerDatabase)
})

const short = { isShort: true }
/** A failing query beside it, which names its value. */
const failing = (value: string) => database.queryArrays(sql`select ${value}::int`, short)

const SETTINGS = sql`select current_setting('plan_cache_mode'), current_setting('enable_seqscan')`

const settings = async (isShort: boolean) => {
  const [row] = await database.queryArrays(SETTINGS, { isShort })
  return row
}

it('short queries are planned once, by indexes, and others for their values', async () => {
  for (let turn = 0; turn < 3; turn++) {
    expect(await settings(true)).toEqual(['force_generic_plan', 'off'])
    expect(await settings(false)).toEqual(['auto', 'on'])
  }
})

it('short queries of one request share one connection, and no other request uses it meanwhile', async () => {
  const processOf = async () =>
    String(await database.queryArrays(sql`select pg_backend_pid()`, short))
  const request = () => asOneRequest(() => Promise.all([processOf(), processOf(), processOf()]))
  const [first, second] = await Promise.all([request(), request()])
  expect([new Set(first).size, new Set([...first, ...second]).size]).toEqual([1, 2])
})

it('a short query that fails neither fails its neighbours nor changes how they are planned', async () => {
  const values = ['1', 'x', '2', 'y', 'z', '3']
  const results = await asOneRequest(() => Promise.allSettled(values.map(failing)))
  expect(results.map(({ status }) => status)).toEqual(
    values.map((value) => (Number(value) > 0 ? 'fulfilled' : 'rejected')),
  )
  expect(await settings(false)).toEqual(['auto', 'on'])
  expect(await settings(true)).toEqual(['force_generic_plan', 'off'])
})

it.each(['commits', 'rolls back'])(
  'a transaction that %s is planned once, and later queries as before',
  async (end) => {
    for (let turn = 0; turn < 2; turn++) {
      expect(await settings(false)).toEqual(['auto', 'on'])
      const within = database.transaction(async (transaction) => {
        const [row] = await transaction.queryArrays(SETTINGS)
        if (end === 'rolls back') throw new Error(String(row))
        return String(row)
      })
      const planned = await within.catch((error: Error) => error.message)
      expect(planned).toBe('force_generic_plan,off')
      expect(await settings(true)).toEqual(['force_generic_plan', 'off'])
    }
  },
)
