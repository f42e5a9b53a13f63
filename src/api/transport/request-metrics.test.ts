import { expect, it } from 'vitest'
import type { Observed } from './observe.ts'
import { RequestMetrics } from './request-metrics.ts'

const observed = (more: Partial<Observed>): Observed => ({
  id: '1',
  method: 'GET',
  url: '/api/',
  pattern: '/api/',
  status: 200,
  milliseconds: 3,
  user: undefined,
  userId: undefined,
  traceparent: undefined,
  statements: undefined,
  address: '',
  ...more,
})

const linesOf = (requestMetrics: RequestMetrics) =>
  requestMetrics
    .text()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

it('requests are counted by status class, durations are summed', () => {
  const requestMetrics = new RequestMetrics()
  for (const [status, milliseconds] of [
    [200, 0.5],
    [201, 1],
    [404, 20],
    [500, 60_000],
  ] as const) {
    requestMetrics.observer(observed({ status, milliseconds }))
  }
  const lines = linesOf(requestMetrics)
  const labels = 'method="GET",route="/api/"'
  const name = 'cadastre_http_request_duration_seconds'
  expect(lines.slice(0, 3)).toEqual([
    `cadastre_http_requests_total{${labels},status="2xx"} 2`,
    `cadastre_http_requests_total{${labels},status="4xx"} 1`,
    `cadastre_http_requests_total{${labels},status="5xx"} 1`,
  ])
  expect(lines).toContain(`${name}_bucket{le="0.001",${labels}} 2`)
  expect(lines).toContain(`${name}_bucket{le="0.025",${labels}} 3`)
  expect(lines.slice(-4)).toEqual([
    `${name}_bucket{le="30",${labels}} 3`,
    `${name}_bucket{le="+Inf",${labels}} 4`,
    `${name}_sum{${labels}} 60.0215`,
    `${name}_count{${labels}} 4`,
  ])
})

it('unknown paths share one series, and so do unknown methods', () => {
  const requestMetrics = new RequestMetrics({ worker: '2' })
  requestMetrics.observer(observed({ pattern: undefined, method: 'BREW' }))
  requestMetrics.observer(observed({ pattern: undefined, method: 'PROPFIND' }))
  expect(linesOf(requestMetrics)[0]).toBe(
    'cadastre_http_requests_total{worker="2",method="other",route="none",status="2xx"} 2',
  )
})
