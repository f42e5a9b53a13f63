import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Database, Transaction } from './database.ts'
import { rollBackFirstOf, rollBackOf } from './roll-back.ts'

/** Transactions that end, in whatever way, when `end` is called. */
function heldTransactions() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const commits: unknown[] = []
  const transaction: Database['transaction'] = async (work) => {
    try {
      const result = await work({} as Transaction)
      commits.push(result)
      return result
    } finally {
      await ended
    }
  }
  return { transaction, end, commits }
}

/** The state of a promise after a turn of the event loop. */
const stateOf = (promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise, setImmediate('waiting')])

describe('a transaction that is rolled back', () => {
  it.each([
    { name: 'apart from what follows is not waited for', rollBack: rollBackOf, before: 'done' },
    {
      name: 'that what follows would become part of is waited for',
      rollBack: rollBackFirstOf,
      before: 'waiting',
    },
  ])('$name', async ({ rollBack, before }) => {
    const { transaction, end, commits } = heldTransactions()
    const result = rollBack(transaction)(async () => 'done')
    expect(await stateOf(result)).toBe(before)
    end()
    expect(await result).toBe('done')
    expect(commits).toEqual([])
  })

  it.each([rollBackOf, rollBackFirstOf])('throws what its work throws', async (rollBack) => {
    const { transaction, end } = heldTransactions()
    end()
    const failing = rollBack(transaction)(async () => {
      throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
  })
})
