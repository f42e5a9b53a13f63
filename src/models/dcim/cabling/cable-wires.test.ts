import { describe, expect, test } from 'vitest'
import { cableProfile } from '../cable.ts'
import { type CableEnd, OTHER_END, type WireEnd, wiresOf } from './cable-wires.ts'

describe('wires of cable profiles', () => {
  // profile, end, connector and position there → connector and position at the other end
  const cases: readonly [string, CableEnd, WireEnd, WireEnd][] = [
    ['single-1c4p', 'A', [1, 3], [1, 3]],
    ['trunk-4c2p', 'B', [3, 2], [3, 2]],
    ['breakout-1c4p-4c1p', 'A', [1, 3], [3, 1]],
    ['breakout-1c4p-4c1p', 'B', [3, 1], [1, 3]],
    ['trunk-2c4p-shuffle', 'A', [1, 1], [1, 1]],
    ['trunk-2c4p-shuffle', 'A', [1, 3], [2, 1]],
    ['trunk-2c4p-shuffle', 'A', [2, 2], [1, 4]],
    ['trunk-2c4p-shuffle', 'A', [2, 4], [2, 4]],
    ['trunk-4c4p-shuffle', 'A', [2, 3], [3, 2]],
    ['breakout-2c4p-8c1p-shuffle', 'A', [1, 3], [5, 1]],
    ['breakout-2c4p-8c1p-shuffle', 'A', [2, 1], [3, 1]],
    ['breakout-2c4p-8c1p-shuffle', 'B', [6, 1], [1, 4]],
  ]
  test.each(cases)('%s from %s %j', (profile, end, wire, expected) => {
    expect(wiresOf(profile)?.across(end, wire)).toEqual(expected)
  })

  test.each(cableProfile.list.map(({ value }) => value))('%s is symmetric', (profile) => {
    const wires = wiresOf(profile)
    for (const end of ['A', 'B'] as const) {
      wires?.connectors[end].forEach((positions, index) => {
        for (let position = 1; position <= positions; position += 1) {
          const wire = [index + 1, position] as const
          const far = wires.across(end, wire)
          expect(far[1]).toBeLessThanOrEqual(wires.connectors[OTHER_END[end]][far[0] - 1] ?? 0)
          expect(wires.across(OTHER_END[end], far)).toEqual(wire)
        }
      })
    }
    expect(wires).toBeDefined()
  })

  test('a cable without a profile has no wires', () => {
    expect(wiresOf('')).toBeUndefined()
    expect(wiresOf(null)).toBeUndefined()
  })
})
