import { expect, test } from 'vitest'
import { availablePower } from './power-feed.ts'

// Voltage, amperage, maximum utilization in percent, phase → watts.
const cases: readonly [number, number, number, string, number][] = [
  [120, 20, 80, 'single-phase', 1920],
  [120, 20, 80, 'three-phase', 3325],
  [-48, 10, 100, 'single-phase', 480],
  [1, 1, 50, 'single-phase', 0],
  [3, 1, 50, 'single-phase', 2],
]
test.each(cases)('%d V, %d A, %d %%, %s', (voltage, amperage, max_utilization, phase, expected) => {
  expect(availablePower({ voltage, amperage, max_utilization, phase })).toBe(expected)
})
