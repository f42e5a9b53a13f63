import { beforeEach, expect, inject, it, onTestFinished, vi } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import type { Database } from '../../src/storage/database.ts'
import { Memory } from '../../src/storage/memory.ts'
import { openPostgres } from '../../src/storage/postgres.ts'
import { createServerDatabase, dropServerDatabase } from '../support/database.ts'

let url: string

beforeEach(async () => {
  inject('postgresUrl')
  url = await createServerDatabase()
  onTestFinished(() => dropServerDatabase(url))
})

/** A process of its own, as far as the database can tell. */
function openNode(): Database {
  const database = openPostgres({ url, poolSize: 2, statementTimeout: 30_000 })
  onTestFinished(() => database.close())
  return database
}

/** What a node remembers under one key: how often it had to ask. */
async function rememberingNode(): Promise<{ memory: Memory; ask: () => Promise<number> }> {
  const memory = new Memory()
  await openNode().subscribe(memory)
  let asked = 0
  const ask = () => memory.get('sites', ['dcim.site'], async () => ++asked)
  return { memory, ask }
}

it('forgets what another process has changed, once that is committed', async () => {
  const { ask } = await rememberingNode()
  expect([await ask(), await ask()]).toEqual([1, 1])
  const writer = openNode()
  await writer.transaction(async (transaction) => {
    await transaction.announce(['dcim.rack', 'dcim.site'])
    expect(await ask()).toBe(1)
  })
  await vi.waitFor(async () => expect(await ask()).toBe(2))
  const undone = writer.transaction(async (transaction) => {
    await transaction.announce(['dcim.site'])
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  await writer.transaction((transaction) => transaction.announce(['dcim.rack']))
  expect(await ask()).toBe(2)
})

it('keeps nothing while it cannot hear of changes, and begins anew when it can', async () => {
  const { ask } = await rememberingNode()
  expect([await ask(), await ask()]).toEqual([1, 1])
  const other = openNode()
  await other.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'cadastre changes'`)
  await vi.waitFor(async () => expect(await ask()).toBeGreaterThan(1))
  const last = await ask()
  await vi.waitFor(async () => expect(await ask()).toBe(await ask()), { timeout: 5_000 })
  expect(await ask()).toBeGreaterThanOrEqual(last)
})
