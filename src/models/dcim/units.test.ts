import { describe, expect, it } from 'vitest'
import { absoluteLength, absoluteWeight } from './units.ts'

describe('lengths are compared in metres', () => {
  const metres = absoluteLength('length', 'unit')
  it.each([
    ['1000.25', 'ft', '304.8762'],
    ['2.5', 'km', '2500.0000'],
    ['10', 'cm', '0.1000'],
    ['1', 'mi', '1609.3440'],
    ['0', 'm', '0.0000'],
    ['5', null, null],
    [null, 'm', null],
  ])('%s %s is %s', (length, unit, expected) => {
    expect(metres({ length, unit })).toBe(expected)
  })
})

describe('weights are compared in whole grams', () => {
  const grams = absoluteWeight('weight', 'unit')
  it.each([
    ['1.5', 'kg', 1500],
    ['10', 'lb', 4535],
    ['3', 'oz', 85],
    ['42.00', 'g', 42],
    ['0', 'kg', null],
    [null, 'kg', null],
    ['7', '', null],
  ])('%s %s is %s', (weight, unit, expected) => {
    expect(grams({ weight, unit })).toBe(expected)
  })
})
