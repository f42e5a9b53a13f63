import { expect, it } from 'vitest'
import { retryDelay } from './attempt.ts'

it.each([
  [1, 0, 10_000],
  [1, 1, 12_500],
  [2, 0, 20_000],
  [5, 0.5, 180_000],
  [13, 0, 40_960_000],
  [14, 0, 81_920_000],
  [14, 1, 86_400_000],
  [15, 0, undefined],
])('after %i failures the next attempt is made %s later', (failures, random, expected) => {
  expect(retryDelay(failures, 10_000, random)).toBe(expected)
})
