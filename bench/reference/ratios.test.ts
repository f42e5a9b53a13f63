import { describe, expect, it } from 'vitest'
import { geometricMean } from '../geometric-mean.ts'
import { testMeasurement } from '../testing/measurement.ts'
import { missingRows, ratiosOf, verdictsOf } from './ratios.ts'

const REFERENCE = [
  { name: 'API root', milliseconds: 3, rate: 500 },
  { name: 'devices 50', milliseconds: 200, rate: 7 },
  { name: 'one site', milliseconds: 60, rate: 20 },
  { name: 'create a site', milliseconds: 28, rate: undefined },
  { name: 'bulk delete 50 devices', milliseconds: 80_000, rate: undefined },
  { name: 'one rack', milliseconds: 50, rate: 30 },
]

const MEASURED = [
  testMeasurement({ name: 'API root', connections: 8, varied: false, rate: 10_000 }),
  testMeasurement({ name: 'API root', connections: 8, varied: true, rate: 5000 }),
  testMeasurement({ name: 'devices, 50', connections: 1, varied: true, rate: 1 }),
  testMeasurement({ name: 'devices, 50', connections: 8, varied: false, rate: 2800 }),
  testMeasurement({ name: 'devices, 50', connections: 8, varied: true, rate: 700 }),
  testMeasurement({ name: 'one site', connections: 8, varied: false, rate: 8000 }),
  testMeasurement({ name: 'one site', connections: 8, varied: true, rate: 8000 }),
  testMeasurement({ name: 'create a site', connections: 1, varied: true, median: 2 }),
  testMeasurement({ name: 'create a site', connections: 8, varied: true, median: 9 }),
  testMeasurement({ name: 'delete 50 devices', connections: 1, varied: true, median: 400 }),
]

describe('ratios to the reference', () => {
  const ratios = ratiosOf(REFERENCE, MEASURED)

  it('compare requests a second over eight connections, and milliseconds of writes over one', () => {
    expect(
      ratios.map(({ name, variedRatio, sameRatio }) => [name, variedRatio, sameRatio]),
    ).toEqual([
      ['API root', 10, 20],
      ['devices 50', 100, 400],
      ['one site', 400, 400],
      ['create a site', 14, 14],
      ['bulk delete 50 devices', 200, 200],
    ])
  })

  it('tell which rows were not measured', () => {
    expect(missingRows(REFERENCE, ratios)).toEqual(['one rack'])
  })

  it('are held against the bars, without the API root among the lists', () => {
    const reached = verdictsOf(ratios).map(({ bar, varied }) => [bar, Math.round(varied)])
    expect(reached).toEqual([
      [100, 200],
      [30, 100],
      [10, 10],
      [15, 14],
      [50, 200],
      [100, 200],
    ])
  })
})

it('the geometric mean of 1, 10 and 100 is 10', () => {
  expect(geometricMean([1, 10, 100])).toBeCloseTo(10)
})
