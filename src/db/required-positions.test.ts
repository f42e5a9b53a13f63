import { expect, it } from 'vitest'
import { ChangeLog } from './cache/change-log.ts'
import { parsePosition, RequiredPositions } from './required-positions.ts'

/** Positions whose reads the test answers one by one. */
function positionsOf(log: ChangeLog) {
  const waiting: ((position: number) => void)[] = []
  const required = new RequiredPositions(() => new Promise((resolve) => void waiting.push(resolve)))
  required.follow(log)
  return {
    required,
    readings: () => waiting.length,
    answer: async (position: number) => {
      waiting.shift()?.(position)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('a position is two hexadecimal numbers of 32 bits', () => {
  expect(parsePosition('0/26E2660')).toBe(0x26e2660)
  expect(parsePosition('A/10')).toBe(10 * 2 ** 32 + 16)
})

it('a model requires the position that was read after its last change, other models do not', async () => {
  const log = new ChangeLog()
  const { required, answer } = positionsOf(log)
  expect(required.behind(['dcim.site'])).toBeUndefined()
  await answer(100)
  expect(required.behind(['dcim.site'])).toBe(100)
  log.invalidate(['dcim.site:7:name'])
  expect(required.behind(['dcim.rack', 'dcim.site'])).toBeUndefined()
  expect(required.behind(['dcim.rack'])).toBe(100)
  await answer(200)
  expect(required.behind(['dcim.rack', 'dcim.site'])).toBe(200)
  expect(required.behind(['dcim.rack'])).toBe(100)
})

it('a change while a position is being read requires another reading, shared by all changes made meanwhile', async () => {
  const log = new ChangeLog()
  const { required, answer, readings } = positionsOf(log)
  await answer(100)
  log.invalidate(['dcim.site'])
  log.invalidate(['dcim.rack'])
  log.invalidate(['dcim.site'])
  expect(readings()).toBe(1)
  await answer(200)
  expect([required.behind(['dcim.site']), required.behind(['dcim.rack'])]).toEqual([undefined, undefined])
  await answer(300)
  expect(required.behind(['dcim.site', 'dcim.rack'])).toBe(300)
  expect(readings()).toBe(0)
})

it('after unknown changes every model requires a new position', async () => {
  const log = new ChangeLog()
  const { required, answer } = positionsOf(log)
  await answer(100)
  log.clear()
  expect(required.behind(['dcim.rack'])).toBeUndefined()
  await answer(200)
  expect(required.behind(['dcim.rack'])).toBe(200)
})
