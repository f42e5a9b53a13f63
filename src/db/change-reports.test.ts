import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../sql/fragment.ts'
import { table, updateTable } from '../sql/table.ts'
import { Cache } from './cache/cache.ts'
import { ChangeLog } from './cache/change-log.ts'
import { noteStatement } from './cache/read-set.ts'
import { reportingChanges } from './change-reports.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { rollBackOf } from './roll-back.ts'
import { nestedTransaction, queryableOver, runTransaction } from './transaction.ts'

const place = { name: 'toy.place', table: 'place' }
const change = sql`${updateTable(place)} set size = 1`

/** A database without data, which records announcements and commits. */
function recorder(log: string[]): Database {
  const connection: Connection = {
    run: async () => ({ rows: [], command: 'SELECT', count: 0 }),
    script: async () => undefined,
    command: async (text) => {
      if (text === 'commit') log.push(text)
      return text.toUpperCase()
    },
    pipelineId: () => connection,
  }
  const announce = (changes: readonly string[]) => {
    log.push(`announce ${changes}`)
    return { statement: sql`notify`, end: () => undefined }
  }
  const transaction: Database['transaction'] = (work) => runTransaction(connection, connection, announce, work)
  return {
    connections: () => ({ open: 1, idle: 0, waiting: 0 }),
    writeProblem: () => undefined,
    writable: async () => undefined,
    ...queryableOver(connection),
    transaction,
    rollBack: rollBackOf(transaction),
    script: async () => undefined,
    subscribe: async () => undefined,
    close: async () => undefined,
  }
}

describe('a change that a statement makes', () => {
  let log: string[]
  let cache: Cache
  let invalidated: PromiseWithResolvers<void>
  let database: Database

  beforeEach(() => {
    log = []
    cache = new Cache(new ChangeLog(), 0)
    invalidated = Promise.withResolvers()
    const invalidate = async (changes: Iterable<string>) => {
      log.push(`invalidate ${[...changes]}`)
      await invalidated.promise
      log.push('done elsewhere')
    }
    const otherProcesses = { invalidate, subscribe: () => undefined }
    database = reportingChanges(recorder(log), cache.log, otherProcesses)
  })

  const writes: readonly (readonly [name: string, write: () => Promise<unknown>])[] = [
    ['by itself', () => database.execute(change)],
    ['in a transaction', () => database.transaction((inner) => inner.execute(change))],
    ['that is only sent', () => database.transaction(async (inner) => inner.send(change))],
  ]

  it.each(writes)('%s is done when no process has cached what was before', async (_name, write) => {
    const load = async () => {
      noteStatement(sql`select * from ${table(place)}`)
      return 1
    }
    await cache.get('size', load, { bytes: 8, isEssential: true })
    expect(cache.find('size')).toBe(1)
    const done = write().then(() => log.push('done'))
    // All work ends within a turn of the event loop, because nothing here waits for anything else.
    await new Promise((resolve) => setImmediate(resolve))
    expect(log).toEqual(['announce toy.place', 'commit', 'invalidate toy.place'])
    expect(cache.find('size')).toBeUndefined()
    invalidated.resolve()
    await done
    expect(log.slice(-2)).toEqual(['done elsewhere', 'done'])
  })

  it('a nested transaction has changes of its own, which are announced with those of the outer one', async () => {
    invalidated.resolve()
    await database.transaction(async (outer) => {
      await outer.execute(change)
      const ended = await nestedTransaction(outer, async (transaction) => {
        expect(transaction.uncommitted.all).toEqual([])
        await transaction.execute(change)
        expect([...transaction.uncommitted.statements]).toEqual([['toy.place', 1]])
        return { transaction }
      })
      expect([...outer.uncommitted.statements]).toEqual([['toy.place', 2]])
      expect([outer.isOpen(), ended.transaction.isOpen()]).toEqual([true, false])
    })
    expect(log.filter((line) => line.startsWith('announce'))).toEqual(['announce toy.place'])
  })

  it('a transaction without changes announces nothing', async () => {
    await database.query(sql`select size from place`)
    await database.transaction((inner) => inner.query(sql`select size from place`))
    expect(log).toEqual(['commit'])
  })
})
