import { expect, test } from 'vitest'
import { isFree } from './rack-space.ts'

const frame = { starting_unit: 1, u_height: 10 }
const front = { position: 4, height: 2, face: 'front', isFullDepth: false }

// new device in a rack of ten units whose front units 4 and 5 are occupied → whether it fits
const cases: readonly [string, { position: number; height: number; face: string | null }, boolean][] = [
  ['the lowest unit', { position: 1, height: 1, face: 'front' }, true],
  ['the highest unit', { position: 10, height: 1, face: 'front' }, true],
  ['below the rack', { position: 0.5, height: 1, face: 'front' }, false],
  ['beyond the top', { position: 10, height: 2, face: 'front' }, false],
  ['half a unit at the top', { position: 10.5, height: 0.5, face: 'front' }, true],
  ['an occupied unit', { position: 5, height: 1, face: 'front' }, false],
  ['up to an occupied unit', { position: 3, height: 1, face: 'front' }, true],
  ['half into an occupied unit', { position: 3.5, height: 1, face: 'front' }, false],
  ['behind an occupied unit', { position: 4, height: 2, face: 'rear' }, true],
  ['full depth behind an occupied unit', { position: 4, height: 1, face: null }, false],
]
test.each(cases)('%s', (_, wanted, expected) => {
  expect(isFree(frame, wanted, [front])).toBe(expected)
})

test('a device of full depth occupies both faces', () => {
  const wanted = { position: 4, height: 1, face: 'rear' }
  expect(isFree(frame, wanted, [{ ...front, isFullDepth: true }])).toBe(false)
})
