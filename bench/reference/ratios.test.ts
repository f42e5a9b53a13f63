import { describe, expect, it } from 'vitest'
import { geometricMean } from '../geometric-mean.ts'
import { referenceVerdicts } from '../targets/reference-targets.ts'
import { testMeasurement } from '../testing/measurement.ts'
import { missingRows, ratiosOf } from './ratios.ts'

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

const NOTHING_KEPT = [
  testMeasurement({ name: 'devices, 50', connections: 8, varied: true, rate: 350 }),
  testMeasurement({ name: 'create a site', connections: 1, varied: true, median: 4 }),
]

describe('ratios to the reference', () => {
  const ratios = ratiosOf(REFERENCE, {
    measurements: {
      varied: MEASURED.filter(({ varied }) => varied),
      same: MEASURED.filter(({ varied }) => !varied),
      nothingKept: NOTHING_KEPT,
    },
  })

  it('compare requests per second over eight connections, and milliseconds of writes over one', () => {
    const byName = ratios.map(({ name, ours: { varied, same, nothingKept } }) => [
      name,
      ...[varied, same, nothingKept].map((ours) => ours?.ratio),
    ])
    expect(byName).toEqual([
      ['API root', 10, 20, undefined],
      ['devices 50', 100, 400, 50],
      ['one site', 400, 400, undefined],
      ['create a site', 14, undefined, 7],
      ['bulk delete 50 devices', 200, undefined, undefined],
    ])
  })

  it('list the rows that were not measured', () => {
    expect(missingRows(REFERENCE, ratios)).toEqual(['one rack'])
  })

  it('are compared with the targets, without the API root among the lists', () => {
    const reached = referenceVerdicts(ratios, 'postgres').map(({ wanted, reached }) => [
      wanted,
      Math.round(reached.varied ?? 0),
    ])
    expect(reached).toEqual([
      [{ least: 100 }, 200],
      [{ least: 30 }, 100],
      [{ least: 10 }, 10],
      [{ least: 15 }, 14],
      [{ least: 50 }, 200],
      [{ least: 100 }, 200],
    ])
  })

  it('have no target on PGlite', () => {
    const wanted = referenceVerdicts(ratios, 'pglite').map((each) => each.wanted)
    expect(wanted).toEqual(Array(6).fill(undefined))
  })
})

it('the geometric mean of 1, 10 and 100 is 10', () => {
  expect(geometricMean([1, 10, 100])).toBeCloseTo(10)
})
