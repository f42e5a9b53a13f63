import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ReadSource } from '../../src/read/serialise/read-source.ts'
import { type Sql, sql } from '../../src/sql/fragment.ts'
import type { WriteContext } from '../../src/write/context.ts'
import { writeAndRead } from '../../src/write/run.ts'
import type { Write } from '../../src/write/transaction.ts'
import { type Inventory, openInventory, TESTER } from '../support/inventory.ts'

/** A statement that the server refuses because of that condition. */
const raise = (condition: Sql): Sql => sql`do $$ begin raise ${condition}; end $$`

describe('reading an object after a write', () => {
  let inventory: Inventory
  let attempts = 0
  beforeAll(async () => {
    inventory = await openInventory()
    await inventory.service.database.script('create table mark (name text)')
  })
  beforeEach(async () => {
    attempts = 0
    await inventory.service.database.script('truncate mark')
  })
  afterAll(() => inventory.close())

  const write = async ({ transaction }: WriteContext): Promise<void> => {
    attempts += 1
    await transaction.execute(sql`insert into mark values ('written')`)
  }
  const marks = () => inventory.query(sql`select name from mark`)
  const run = <T>(read: Write<void, T>['read']): Promise<T> =>
    writeAndRead(inventory.service, { actor: TESTER, requestId: randomUUID() }, { work: write, read })

  it('shows the data in the transaction', async () => {
    expect(await run(({ database }) => database.query(sql`select name from mark`))).toHaveLength(1)
    expect(await marks()).toHaveLength(1)
  })

  it('undoes the write if it fails within the transaction, and reports why', async () => {
    const refused = run(({ database }) => database.query(sql`select 1 / 0`))
    await expect(refused).rejects.toMatchObject({ code: '22012' })
    expect(await marks()).toEqual([])
  })

  it('is not reported as the cause if it fails only because the write did', async () => {
    const broken = (code: string) => async (context: WriteContext) => {
      await write(context)
      context.transaction.send(raise(code === '40P01' ? sql`deadlock_detected` : sql`unique_violation`))
    }
    const read = ({ database }: ReadSource) => database.query(sql`select name from mark`)
    const request = { actor: TESTER, requestId: randomUUID() }
    const refused = writeAndRead(inventory.service, request, { work: broken('23505'), read })
    await expect(refused).rejects.toMatchObject({ code: '23505' })
    attempts = 0
    const deadlock = writeAndRead(inventory.service, request, { work: broken('40P01'), read })
    await expect(deadlock).rejects.toMatchObject({ code: '40P01' })
    expect([attempts, (await marks()).length]).toEqual([3, 0])
  })
})
