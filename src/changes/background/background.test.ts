import { expect, it, onTestFinished } from 'vitest'
import { ChangeLog } from '../../db/cache/change-log.ts'
import { wholeModel } from '../../db/cache/model-change.ts'
import { createBackground } from './background.ts'

/** Work that counts its turns; `turned` resolves after that many. */
function countedWork(wokenBy: readonly string[]) {
  const waiting = new Map<number, () => void>()
  const counted = { turns: 0 }
  const work = {
    ...{ name: 'the work', idleMs: 3_600_000, wokenBy },
    turn: async () => {
      counted.turns += 1
      waiting.get(counted.turns)?.()
      return 'idle' as const
    },
  }
  const turned = (count: number) =>
    new Promise<void>((resolve) => {
      if (counted.turns >= count) resolve()
      else waiting.set(count, resolve)
    })
  return { work, counted, turned }
}

it('a change of a model wakes only the work that depends on the model', async () => {
  const changes = new ChangeLog()
  const [jobs, sites] = [countedWork(['core.job']), countedWork(['dcim.site'])]
  const background = createBackground([jobs.work, sites.work], changes, { error: () => undefined })
  background.start()
  onTestFinished(() => background.stop())
  changes.record([wholeModel('core.job')])
  await jobs.turned(2)
  expect(sites.counted.turns).toBe(1)
})

it('a change that another process announces wakes this work too', async () => {
  const changes = new ChangeLog()
  const { work, turned, counted } = countedWork(['core.job'])
  const background = createBackground([work], changes, { error: () => undefined })
  background.start()
  onTestFinished(() => background.stop())
  await turned(1)
  changes.invalidate(['core.job'])
  await turned(2)
  expect(counted.turns).toBe(2)
})

it('work that causes other work is repeated until nothing is left', async () => {
  const queue = [1, 2]
  const done: number[] = []
  const common = { idleMs: 1, wokenBy: [] }
  const consumer = {
    ...common,
    name: 'consumer',
    turn: async () => {
      const next = queue.shift()
      if (next === undefined) return 'idle' as const
      done.push(next)
      return 'again' as const
    },
  }
  let rounds = 2
  const producer = {
    ...common,
    name: 'producer',
    turn: async () => {
      if (rounds-- <= 0) return 'idle' as const
      queue.push(10 + rounds)
      return 'again' as const
    },
  }
  const background = createBackground([consumer, producer], new ChangeLog(), {
    error: () => undefined,
  })
  await background.runUntilIdle()
  expect(done).toEqual([1, 2, 11, 10])
})
