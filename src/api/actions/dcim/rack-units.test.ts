import { describe, expect, it } from 'vitest'
import { depthBelowTop, halfUnits, halfUnitsOf, unitName } from './rack-units.ts'

const upwards = { starting_unit: 1, u_height: 2, desc_units: false }
const downwards = { starting_unit: 3, u_height: 2, desc_units: true }

describe('units of a rack', () => {
  it.each([
    ['numbered upwards', upwards, [2.5, 2, 1.5, 1]],
    ['numbered downwards from 3', downwards, [3, 3.5, 4, 4.5]],
  ])('%s go from the top to the bottom', (_name, numbering, expected) => {
    expect(halfUnits(numbering)).toEqual(expected)
  })

  it('that a device fills start at its position', () => {
    expect(halfUnitsOf({ position: 1.5, height: 1.5 }).map(unitName)).toEqual(['U1.5', 'U2', 'U2.5'])
  })

  it.each([
    ['the highest place', upwards, { position: 2, height: 1 }, 0],
    ['the lowest place', upwards, { position: 1, height: 1 }, 1],
    ['half a unit above the lowest', upwards, { position: 1.5, height: 0.5 }, 1],
    ['the first number counted downwards', downwards, { position: 3, height: 1 }, 0],
    ['half a unit further', downwards, { position: 3.5, height: 1 }, 0.5],
  ])('%s is drawn at the right distance from the top', (_name, numbering, device, expected) => {
    expect(depthBelowTop(numbering, device)).toBe(expected)
  })
})
