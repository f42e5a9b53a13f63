import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { updateTable } from '../sql/table.ts'
import { reportingChanges } from './change-reports.ts'
import type { Database, Transaction } from './database.ts'
import { Memory } from './memory.ts'

const nothing: Queryable = {
  query: async () => [],
  queryArrays: async () => [],
  execute: async () => 0,
}

const change = sql`${updateTable({ name: 'toy.place', table: 'place' })} set size = 1`

/** A database that keeps nothing but what is said and done around a transaction. */
function recorder(log: string[]): Database {
  return {
    kind: 'postgres',
    ...nothing,
    transaction: async (work) => {
      const pending: (() => void)[] = []
      const transaction: Transaction = {
        ...nothing,
        afterCommit: (after) => void pending.push(after),
        savepoint: (inner) => inner(),
        script: async () => undefined,
        send: () => undefined,
        isOpen: () => true,
        announce: async (models) => void log.push(`announce ${[...models]}`),
      }
      const result = await work(transaction)
      log.push('commit')
      for (const after of pending) after()
      return result
    },
    script: async () => undefined,
    subscribe: async () => undefined,
    close: async () => undefined,
  }
}

describe('a change that a statement makes', () => {
  let log: string[]
  let memory: Memory
  let forgotten: PromiseWithResolvers<void>
  let database: Database

  beforeEach(() => {
    log = []
    memory = new Memory()
    forgotten = Promise.withResolvers()
    const invalidate = async (models: Iterable<string>) => {
      log.push(`invalidate ${[...models]}`)
      await forgotten.promise
      log.push('invalidated')
    }
    const otherProcesses = { invalidate, subscribe: () => undefined }
    database = reportingChanges(recorder(log), memory, otherProcesses)
  })

  const writes: readonly (readonly [name: string, write: () => Promise<unknown>])[] = [
    ['by itself', () => database.execute(change)],
    ['in a transaction', () => database.transaction((inner) => inner.execute(change))],
    ['that is only sent', () => database.transaction(async (inner) => inner.send(change))],
  ]

  it.each(writes)('%s is done when nobody remembers what was before', async (_name, write) => {
    const load = async () => 1
    await memory.get('size', ['toy.place'], load)
    const before = memory.moment
    const done = write().then(() => log.push('done'))
    // Whatever has been begun ends within a turn of the event loop, as nothing here waits for anything else.
    await new Promise((resolve) => setImmediate(resolve))
    expect(log).toEqual(['announce toy.place', 'commit', 'invalidate toy.place'])
    expect(memory.isUnchanged(['toy.place'], before)).toBe(false)
    forgotten.resolve()
    await done
    expect(log.slice(-2)).toEqual(['invalidated', 'done'])
  })

  it('is announced to nobody where there is none', async () => {
    await database.query(sql`select size from place`)
    await database.transaction((inner) => inner.query(sql`select size from place`))
    expect(log.filter((line) => line !== 'announce ' && line !== 'commit')).toEqual([])
  })
})
