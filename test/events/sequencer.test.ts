import { describe, expect, it } from 'vitest'
import { modelRegistry } from '../../src/app/core.ts'
import { givePositions, type Sequenced } from '../../src/changes/stream/sequencer.ts'
import type { Database, Transaction } from '../../src/db/database.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'

const registry = modelRegistry()

const insert = (transaction: Transaction, change: number) =>
  transaction.execute(sql`insert into core_event (kind, change, created) values ('change', ${change}, now())`)

/** Change ids in the order of the positions, each with its position. */
const stream = async (database: Database): Promise<readonly (readonly unknown[])[]> =>
  await database.queryArrays(sql`select position, change from core_event where position is not null order by position`)

/** Assigns positions until no event is left. */
async function sequence(database: Database): Promise<Sequenced> {
  for (;;) {
    const result = await givePositions({ database, registry })
    if (result.count === 0) return result
  }
}

class Undone extends Error {}

describe('positions', () => {
  it('have no gaps although transactions are rolled back', async () => {
    const database = await databaseOfTest('migrated')
    for (const change of [1, 2, 3, 4, 5, 6]) {
      await database
        .transaction(async (transaction) => {
          await insert(transaction, change)
          if (change % 2 === 0) throw new Undone()
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error
        })
      if (change === 3) await sequence(database)
    }
    expect(await sequence(database)).toEqual({ last: 3, count: 0 })
    expect(await stream(database)).toEqual([
      [1, 1],
      [2, 3],
      [3, 5],
    ])
  })

  it('cover all changes of a row', async () => {
    const database = await databaseOfTest('migrated')
    const insertRows = (...counts: readonly number[]) =>
      database.execute(sql`
        insert into core_event (kind, change, count, created)
        select 'change', place, count, now() from unnest(${counts}::int[]) with ordinality q(count, place)
        order by place`)
    await insertRows(3, 1, 200)
    expect(await givePositions({ database, registry })).toEqual({ last: 204, count: 3 })
    await insertRows(2)
    expect(await sequence(database)).toEqual({ last: 206, count: 0 })
    expect((await stream(database)).map(([position]) => position)).toEqual([3, 4, 204, 206])
  })

  it('are assigned once, even if several processes do so at the same time', async () => {
    const database = await databaseOfTest('migrated')
    const write = async (writer: number) => {
      for (let turn = 0; turn < 20; turn++) {
        await database.transaction(async (transaction) => {
          await insert(transaction, 100 * writer + turn)
          await insert(transaction, 100 * writer + turn)
        })
      }
    }
    let isWriting = true
    const sequencers = Array.from({ length: 3 }, async () => {
      while (isWriting) await givePositions({ database, registry })
    })
    await Promise.all([1, 2, 3].map(write))
    isWriting = false
    await Promise.all(sequencers)
    await sequence(database)
    const rows = await stream(database)
    expect(rows.map(([position]) => position)).toEqual(rows.map((_, index) => index + 1))
    expect(rows).toHaveLength(120)
    // The order of each writer is kept, and both rows of a transaction are adjacent.
    for (const writer of [1, 2, 3]) {
      const own = rows.map(([, change]) => Number(change)).filter((each) => Math.floor(each / 100) === writer)
      expect(own).toEqual(own.toSorted((one, other) => one - other))
    }
  })

  it('follow the commits, so that a slow transaction with a lower id is not skipped', async () => {
    const database = await databaseOfTest('migrated')
    const { promise: isInserted, resolve: inserted } = Promise.withResolvers<void>()
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const slow = database.transaction(async (transaction) => {
      await insert(transaction, 1)
      inserted()
      await mayCommit
    })
    await isInserted
    await database.transaction((transaction) => insert(transaction, 2))
    expect(await sequence(database)).toEqual({ last: 1, count: 0 })
    commit()
    await slow
    await sequence(database)
    expect(await stream(database)).toEqual([
      [1, 2],
      [2, 1],
    ])
  })
})
