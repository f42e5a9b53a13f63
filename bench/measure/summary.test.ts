import { expect, it } from 'vitest'
import { summarise } from './summary.ts'

const SEEN = { name: 'sites, 50', connections: 8, varied: true, bytes: 10, seconds: 2 }
const NOT_SEEN = { server: null, database: null }

it('quantiles come from the sorted times, and the rate counts all responses', () => {
  const times = Array.from({ length: 100 }, (_, index) => 100 - index)
  const summary = summarise({ ...SEEN, times, cpu: { server: 1.5, database: 0.25 } })
  expect(summary).toEqual({
    ...SEEN,
    requests: 100,
    rate: 50,
    median: 51,
    p95: 96,
    p99: 100,
    serverCpu: 1.5,
    databaseCpu: 0.25,
  })
})

it('processes that cannot be observed have no CPU time', () => {
  const { serverCpu, median } = summarise({ ...SEEN, times: [3], cpu: NOT_SEEN })
  expect({ serverCpu, median }).toEqual({ serverCpu: null, median: 3 })
})
