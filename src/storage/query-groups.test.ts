import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { skipped, translateFailure } from './failures.ts'
import { groupQueries } from './query-groups.ts'

/** Runs queries named by their texts; those of one connection are recorded as one list. `failing` fails, and with it what comes after it. */
function connections(failing?: string) {
  const sent: string[][] = []
  const run = groupQueries(async (work) => {
    const own: string[] = []
    sent.push(own)
    let hasFailed = false
    await work({
      run: async (text) => {
        own.push(text)
        const isSkipped = hasFailed
        hasFailed ||= text === failing
        // All of them are sent in one message and answered later.
        await nextTurn()
        hasFailed = false
        if (isSkipped) throw translateFailure(skipped(), text)
        if (text === failing) throw new Error(`${text} failed`)
        return { rows: [text], command: 'SELECT', count: 1 }
      },
    })
  })
  const query = async (text: string, values: readonly unknown[] = []) =>
    (await run(text, values, 'arrays')).rows[0]
  return { sent, query }
}

it('queries of one turn share a connection, those of the next turn get another one', async () => {
  const { sent, query } = connections()
  expect(await Promise.all(['a', 'b', 'c'].map((text) => query(text)))).toEqual(['a', 'b', 'c'])
  expect(await query('d')).toBe('d')
  expect(sent).toEqual([['a', 'b', 'c'], ['d']])
})

it('queries with long lists are not sent with those of other messages', async () => {
  const { sent, query } = connections()
  const ids = Array.from({ length: 201 }, (_, index) => index)
  // Another message arrives in the same turn.
  const other = nextTurn().then(() => Promise.all([query('c', [ids]), query('d')]))
  await Promise.all([query('a', [ids]), query('b'), query('e', [ids]), other])
  expect(sent).toEqual([['a', 'e'], ['c'], ['b', 'd']])
})

it('a connection gets twelve queries at most', async () => {
  const { sent, query } = connections()
  await Promise.all(Array.from({ length: 30 }, (_, index) => query(String(index))))
  expect(sent.map(({ length }) => length)).toEqual([12, 12, 6])
})

it('a query that fails does not fail those that were sent with it', async () => {
  const { query } = connections('b')
  const results = await Promise.allSettled(['a', 'b', 'c'].map((text) => query(text)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('all fail when there is no connection', async () => {
  const run = groupQueries(async () => {
    throw new Error('no connection')
  })
  const results = await Promise.allSettled(['a', 'b'].map((text) => run(text, [], 'arrays')))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
