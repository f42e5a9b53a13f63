import { expect, it } from 'vitest'
import { currentTimestamp, timestampsAfter } from './clock.ts'

it('timestamps of one millisecond are in the order in which they were taken', () => {
  const clock = { now: () => 1_800_000_000_123 }
  // Long enough for the digits below a millisecond to wrap around several times.
  const until = performance.now() + 5
  const timestamps: string[] = []
  while (performance.now() < until) timestamps.push(currentTimestamp(clock))
  expect(timestamps).toEqual(timestamps.toSorted())
})

it.each([
  [0, '2026-11-22T10:00:59.999999Z'],
  [1, '2026-11-22T10:01:00.000000Z'],
  [1_000_001, '2026-11-22T10:01:01.000000Z'],
])('a timestamp %i microseconds later', (microseconds, expected) => {
  expect(timestampsAfter('2026-11-22T10:00:59.999999Z')(microseconds)).toBe(expected)
})
