import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbeddedCopy } from '../../test/support/prepared.ts'
import { raw, sql } from '../sql/fragment.ts'
import type { Database } from './database.ts'
import { databaseOver } from './pglite.ts'

/** A statement that needs more stack in PostgreSQL than any process here has. */
const NESTED = raw(`select 1${'+1'.repeat(20_000)}`)

const openEngine = () => startEmbeddedCopy('empty')

let database: Database
beforeAll(async () => {
  const files = { startEngine: openEngine, freeBytes: () => 0 }
  database = await databaseOver(await openEngine(), () => undefined, files)
})
afterAll(() => database.close())

it('a statement that is nested too deeply is refused, and the next one succeeds', async () => {
  await expect(database.query(sql`${NESTED}`)).rejects.toMatchObject({ code: '54001' })
  expect(await database.queryArrays(sql`select 1`)).toEqual([[1]])
})

it('a statement that exhausts the stack fails with its transaction, and a new engine takes over', async () => {
  const writing = database.transaction(async (transaction) => {
    await transaction.script(`set max_stack_depth to '2MB'`)
    await transaction.execute(sql`create table half_done (id int)`)
    await transaction.query(sql`${NESTED}`)
  })
  await expect(writing).rejects.toMatchObject({ name: 'EngineFault' })
  expect(await database.queryArrays(sql`select to_regclass('half_done') is null`)).toEqual([[true]])
})
