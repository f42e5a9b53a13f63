import { beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { asOneRequest } from '../../src/db/query-groups.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'

let database: Database
beforeEach(async () => {
  database = await databaseOfTest()
})

const short = { isShort: true }
/** A failing query beside it, which names its value. */
const failing = (value: string) => database.queryArrays(sql`select ${value}::int`, short)

it('short queries of one request share one connection, and no other request uses it meanwhile', async () => {
  const processOf = async () => String(await database.queryArrays(sql`select pg_backend_pid()`, short))
  const request = () => asOneRequest(() => Promise.all([processOf(), processOf(), processOf()]))
  const [first, second] = await Promise.all([request(), request()])
  expect([new Set(first).size, new Set([...first, ...second]).size]).toEqual([1, 2])
})

it('a short query that fails does not affect the others', async () => {
  const values = ['1', 'x', '2', 'y', 'z', '3']
  const results = await asOneRequest(() => Promise.allSettled(values.map(failing)))
  expect(results.map(({ status }) => status)).toEqual(
    values.map((value) => (Number(value) > 0 ? 'fulfilled' : 'rejected')),
  )
})
