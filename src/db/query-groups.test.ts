import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { skipped, translateFailure } from './failures.ts'
import { asOneRequest, groupQueries } from './query-groups.ts'

/**
 * Runs queries named by their texts; those of one connection are recorded as one list. Queries whose names begin with
 * "bad" fail, together with everything after them.
 */
function connections() {
  const sent: string[][] = []
  const run = groupQueries(async (work) => {
    const batch: string[] = []
    sent.push(batch)
    let hasFailed = false
    await work({
      run: async (text) => {
        batch.push(text)
        const isSkipped = hasFailed
        hasFailed ||= text.startsWith('bad')
        // All of them are sent in one message and answered later.
        await nextTurn()
        hasFailed = false
        if (isSkipped) throw translateFailure(skipped(), text)
        if (text.startsWith('bad')) throw new Error(`${text} failed`)
        return { rows: [text], command: 'SELECT', count: 1 }
      },
    })
  })
  const query = async (text: string) => (await run(text, [], 'arrays')).rows[0]
  const request = (...texts: string[]) => asOneRequest(() => Promise.allSettled(texts.map((text) => query(text))))
  return { sent, query, request }
}

it('queries of one request and turn share a connection, and those of the next turn use another one', async () => {
  const { sent, query } = connections()
  await asOneRequest(async () => {
    expect(await Promise.all(['a', 'b', 'c'].map((text) => query(text)))).toEqual(['a', 'b', 'c'])
    expect(await query('d')).toBe('d')
  })
  expect(sent).toEqual([['a', 'b', 'c'], ['d']])
})

it('queries of different requests, or of no request, never share a connection', async () => {
  const { sent, query, request } = connections()
  await Promise.all([request('a', 'b'), request('c'), query('d'), query('e')])
  expect(sent.map((group) => group.join()).sort()).toEqual(['a,b', 'c', 'd', 'e'])
})

it.each([
  { texts: ['a', 'bad', 'c'] },
  { texts: ['bad 1', 'b', 'bad 2', 'd', 'bad 3', 'f'] },
  { texts: ['bad 1', 'bad 2', 'c'] },
])('of $texts only the invalid queries fail', async ({ texts }) => {
  const results = await connections().request(...texts)
  expect(results.map(({ status }) => status)).toEqual(
    texts.map((text) => (text.startsWith('bad') ? 'rejected' : 'fulfilled')),
  )
})

it('all queries of a request fail if there is no connection', async () => {
  const run = groupQueries(async () => {
    throw new Error('no connection')
  })
  const results = await asOneRequest(() => Promise.allSettled(['a', 'b'].map((text) => run(text, [], 'arrays'))))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
