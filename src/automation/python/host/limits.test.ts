import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withinLimits } from './limits.ts'
import { usedTime } from './processor-time.ts'

const limits = { processor: 10_000, clock: 60_000 }

describe('work', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([
    // Share of the processor, duration by the clock, and the outcome.
    ['on a quiet machine within the limit', 1, 9_000, 'done'],
    ['on a quiet machine beyond the limit', 1, 11_000, 'exceeded'],
    ['on a busy machine', 0.2, 45_000, 'done'],
    ['on a busy machine beyond the limit', 0.25, 45_000, 'exceeded'],
    ['that waits for ever', 0, 61_000, 'exceeded'],
    ['on a system that does not report processor time', undefined, 9_000, 'done'],
    ['too long on such a system', undefined, 11_000, 'exceeded'],
  ] as const)('%s', async (_name, share, duration, expected) => {
    const began = performance.now()
    const used = () => (share === undefined ? undefined : 500 + share * (performance.now() - began))
    const work = new Promise<string>((resolve) => setTimeout(() => resolve('done'), duration))
    const outcome = withinLimits(work, limits, used).catch(() => 'exceeded')
    await vi.advanceTimersByTimeAsync(duration)
    expect(await outcome).toBe(expected)
  })
})

it.each([
  ['a plain name', '12 (node) S 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0', 1_750],
  ['a name with spaces and parentheses', '12 (a) b) (c) R 1 2 3 4 5 6 7 8 9 10 1 0 0 0 20 0', 10],
  ['something else', 'x', undefined],
])('the processor time of a process with %s is read from its line in /proc', (_name, line, used) => {
  expect(usedTime(line)).toBe(used)
})
