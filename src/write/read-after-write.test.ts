import { expect, it } from 'vitest'
import { forEachStorage } from '../../test/support/database.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { transactionThenDatabase } from './read-after-write.ts'

forEachStorage('reading what a transaction writes', (open) => {
  const rooms = async (queryable: Queryable) =>
    (await queryable.queryArrays(sql`select name from room order by name`)).flat()

  it('reads before and after the commit, and never queries a finished transaction', async () => {
    const database = await open()
    await database.script('create table room (name text primary key)')
    const committed = Promise.withResolvers<void>()
    const { reading, before } = await database.transaction(async (transaction) => {
      await transaction.execute(sql`insert into room values ('hall')`)
      const reading = transactionThenDatabase(transaction, database, committed.promise)
      // Sent before the commit, completed at any time.
      return { reading, before: { seen: rooms(reading) } }
    })
    expect(await before.seen).toEqual(['hall'])
    let isAnswered = false
    const later = rooms(reading).then((seen) => {
      isAnswered = true
      return seen
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isAnswered).toBe(false)
    committed.resolve()
    expect(await later).toEqual(['hall'])
    await database.close()
  })

  it('fails if the commit fails', async () => {
    const database = await open()
    const committed = Promise.withResolvers<void>()
    const reading = await database.transaction(async (transaction) => ({
      queryable: transactionThenDatabase(transaction, database, committed.promise),
    }))
    const question = rooms(reading.queryable)
    committed.reject(new Error('not committed'))
    await expect(question).rejects.toThrow('not committed')
    await database.close()
  })
})
