import { describe, expect, it } from 'vitest'
import { compareRuns } from '../compared-runs.ts'
import type { LimitRow, Measurement, Result } from '../result.ts'
import { testMeasurement } from '../testing/measurement.ts'
import { testResult } from '../testing/result.ts'
import { reportSection } from './markdown.ts'

/** Sections of a document with the results, by title. */
function sections(...results: readonly Result[]): ReadonlyMap<string, string> {
  const reports = compareRuns(results)
  return new Map(
    reports.map((runs) => {
      const text = reportSection(runs, { reference: REFERENCE, reports })
      return [text.slice(3, text.indexOf('\n')), text]
    }),
  )
}

const REFERENCE = [{ name: 'devices 50', milliseconds: 200, rate: 7 }]

const reads = (rate: number): Measurement[] => [
  testMeasurement({ name: 'devices, 50', connections: 8, rate }),
  testMeasurement({ name: 'devices, 50', connections: 1, rate }),
  testMeasurement({ name: 'one site', connections: 1, rate: rate * 2 }),
]

const limit = (name: string, ours: number): LimitRow => ({
  name,
  ours: testMeasurement({ name, rate: ours }),
  bare: testMeasurement({ name, rate: 1000 }),
})

const POSTGRES = testResult({
  target: 'postgres',
  measurements: [
    ...reads(1400),
    testMeasurement({ name: 'devices, 50', connections: 8, varied: false, rate: 7000 }),
    testMeasurement({ name: 'page: devices, 50', p95: 12 }),
    testMeasurement({ name: 'page: one of racks', p95: 21 }),
  ],
  limit: [limit('devices, 50', 590), limit('one device', 500)],
  coldStart: 1001,
  memory: { server: 600, serverPeak: 900, database: 100 },
})
const NOTHING_KEPT = testResult({
  target: 'postgres',
  nothingKept: true,
  measurements: reads(350),
  limit: [limit('devices, 50', 100)],
})
const PGLITE = testResult({
  target: 'pglite',
  measurements: reads(700).map((each) =>
    each.name === 'one site' ? { ...each, rate: 700 } : each,
  ),
  coldStart: 1999,
})
const GROWTH = testResult({
  target: 'postgres',
  growth: [
    { name: 'sites, 50', points: points(2, 3) },
    { name: 'devices, 50', points: points(2, 3.2) },
  ],
})

function points(few: number, many: number) {
  return [
    // A page that is not full is not compared with a full one.
    { interfaces: 1_000, objects: 5, median: few / 5 },
    { interfaces: 10_000, objects: 50, median: few },
    { interfaces: 1_000_000, objects: 50, median: many },
  ]
}

const TIMES = 'times faster than the reference: lists and details, geometric mean'
const SHARE = "requests/s of reads over one connection, share of PostgreSQL's"

const lines = [
  {
    name: 'ratios to the reference, in each mode',
    section: 'postgres',
    results: [POSTGRES, NOTHING_KEPT],
    line: `| ${TIMES} | ≥ 100 | 200 ✓ | 1,000 ✓ | 50.0 ✗ |`,
  },
  {
    name: 'ratios on PGlite, without a target',
    section: 'pglite',
    results: [PGLITE],
    line: `| ${TIMES} |  | 100 |`,
  },
  {
    name: 'the share of a bare server, of a page',
    section: 'postgres',
    results: [POSTGRES, NOTHING_KEPT],
    line: "| requests/s, share of a bare server's: devices, 50 | ≥ 60.0 % | 59.0 % ✗ |  | 10.0 % ✗ |",
  },
  {
    name: 'the share of a bare server, of a detail',
    section: 'postgres',
    results: [POSTGRES],
    line: "| requests/s, share of a bare server's: one device | ≥ 50.0 % | 50.0 % ✓ |  |",
  },
  {
    name: 'PGlite compared with PostgreSQL, lowest',
    section: 'pglite',
    results: [POSTGRES, PGLITE],
    line: `| ${SHARE}: lowest | ≥ 50.0 % | 25.0 % ✗ |`,
  },
  {
    name: 'PGlite compared with PostgreSQL, on average',
    section: 'pglite',
    results: [PGLITE, POSTGRES],
    line: `| ${SHARE}: geometric mean | ≥ 50.0 % | 35.4 % ✗ |`,
  },
  {
    name: 'a cold start of PostgreSQL',
    section: 'postgres',
    results: [POSTGRES],
    line: '| from the start of the process to the first answer, over existing data | ≤ 1,000 ms | 1,001 ms ✗ |',
  },
  {
    name: 'a cold start of PGlite',
    section: 'pglite',
    results: [PGLITE],
    line: '| from the start of the process to the first answer, over existing data | ≤ 2,000 ms | 1,999 ms ✓ |',
  },
  {
    name: 'resident memory',
    section: 'postgres',
    results: [POSTGRES],
    line: '| resident memory after all requests | < 600 MB | 600 MB ✗ |',
  },
  {
    name: 'the slowest page for people',
    section: 'postgres',
    results: [POSTGRES],
    line: '| page for people (list of 50, object, form), 95th percentile of the slowest | ≤ 20.0 ms | 21.0 ms ✗ |',
  },
  {
    name: 'growth of the worst page',
    section: 'postgres',
    results: [GROWTH],
    line: '| time of a page with the most interfaces, relative to the fewest, worst page | < 1.50 | 1.60 ✗ |',
  },
]

describe('a report compares with its target', () => {
  it.each(lines)('$name', ({ section, results, line }) => {
    expect(
      sections(...results)
        .get(section)
        ?.split('\n'),
    ).toContain(line)
  })
})

describe('a run with caches off', () => {
  it('is a column next to the run of the same storage, not a section', () => {
    const found = sections(NOTHING_KEPT, POSTGRES, PGLITE)
    expect([...found.keys()]).toEqual(['postgres', 'pglite'])
    const postgres = found.get('postgres')?.split('\n')
    expect(postgres).toContain(
      '| request | reference | distinct requests | times faster | repeated request | times faster | caches off | times faster |',
    )
    expect(postgres).toContain(
      '| devices 50 | 7.00/s | 1,400/s | 200 | 7,000/s | 1,000 | 350/s | 50.0 |',
    )
    expect(postgres).toContain('| devices, 50 | 8 caches off | 1.00 | 2.00 | 3.00 | 350 |  |')
  })

  it('alone has a section with its own title', () => {
    expect([...sections(NOTHING_KEPT, PGLITE).keys()]).toEqual(['postgres, caches off', 'pglite'])
  })

  it('has a section separate from growth', () => {
    expect([...sections(NOTHING_KEPT, GROWTH).keys()]).toEqual(['postgres, caches off', 'postgres'])
  })
})
