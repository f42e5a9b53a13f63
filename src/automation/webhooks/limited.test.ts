import { expect, it } from 'vitest'
import { limited } from './attempt.ts'

it('runs no more work at a time than allowed, and all of it in order, even if some fails', async () => {
  const run = limited(2)
  const started: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((index) =>
      run(async () => {
        started.push(index)
        running += 1
        most = Math.max(most, running)
        await Promise.resolve()
        running -= 1
        if (index === 1) throw new Error('no')
        return index
      }),
    ),
  )
  expect(most).toBe(2)
  expect(started).toEqual([0, 1, 2, 3, 4])
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true])
})
