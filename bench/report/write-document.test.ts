import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Result } from '../result.ts'
import { testMeasurement } from '../testing/measurement.ts'
import { testResult } from '../testing/result.ts'
import { compareResults } from './compare.ts'
import { writeDocument } from './write-document.ts'

const result = (rate: number): Result =>
  testResult({
    target: 'pglite',
    counts: { sites: 1200 },
    measurements: [testMeasurement({ name: 'sites <50>', connections: 8, rate })],
    mixed: [
      {
        alone: testMeasurement({ name: 'alone', rate: 1_000 }),
        beside: testMeasurement({ name: 'beside', rate: 700 }),
        writes: testMeasurement({ name: 'writes', rate: 20, median: 5, p95: 9 }),
      },
    ],
    coldStart: 1234,
    memory: { server: 200, serverPeak: 250, database: null },
    growth: [
      {
        name: 'sites, 50',
        points: [
          { interfaces: 10_000, objects: 50, median: 2 },
          { interfaces: 1_000_000, objects: 50, median: 3 },
        ],
      },
    ],
  })

it('results replace the earlier ones and leave all other text of the document', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'performance.md')
  writeFileSync(path, '# Speed\n\n<!-- results -->\n<!-- end of results -->\n\nHow to repeat it.\n')
  writeDocument(path, [result(100)], { reference: undefined })
  writeDocument(path, [result(250)], { reference: undefined })
  const text = readFileSync(path, 'utf8')
  expect(text).toMatch(/^# Speed\n\n<!-- results -->/)
  expect(text).toMatch(/How to repeat it\.\n$/)
  expect(text).toContain('| sites <50> | 8 | 1.00 | 2.00 | 3.00 | 250 |  |')
  expect(text).not.toContain('| 100 |')
  expect(text).toContain(
    'Data: 1,200 sites. From the start of the process to the first answer: 1,234 ms.',
  )
  expect(text).toContain('| distinct requests | 1,000 | 700 | 0.70 | 20.0 | 5.00 | 9.00 |')
  expect(text).toContain('| sites, 50 | 2.00 | 3.00 | 1.50 |')
  expect(text).toContain('![Requests per second](performance-1.svg)')
  expect(readFileSync(join(directory, 'performance-1.svg'), 'utf8')).toContain('sites &lt;50>')
})

it('tables go to files of their own, and the document has a summary that links to them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'docs'))
  const path = join(directory, 'docs/performance.md')
  writeDocument(path, [result(100)], { reference: undefined, tables: join(directory, 'results') })
  const text = readFileSync(path, 'utf8')
  expect(text).toContain('Data: 1,200 sites.')
  expect(text).toContain('[All measurements of this run](../results/pglite-growth.md)')
  expect(text).not.toContain('### All requests')
  const tables = readFileSync(join(directory, 'results/pglite-growth.md'), 'utf8')
  expect(tables).toMatch(/^# pglite\n/)
  expect(tables).toContain('| sites <50> | 8 | 1.00 | 2.00 | 3.00 | 100 |  |')
})

it('a comparison lists the requests that both results measured', () => {
  const text = compareResults(result(100), result(250))
  expect(text).toContain('| sites <50> | 8 | 1.00 | 1.00 | 100 | 250 | 2.50× |')
  expect(text).toContain('gains: reads over 8: 2.50×')
})
