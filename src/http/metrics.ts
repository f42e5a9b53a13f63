import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Service } from '../query/service.ts'
import { requireUser } from './api-request.ts'
import type { Endpoint } from './endpoint.ts'
import type { Observed, Observer } from './observe.ts'

/** Upper bounds in seconds: a remembered answer takes less than a millisecond, a large write seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Figures about one running service. */
export interface Metrics {
  readonly observer: Observer
  /** All figures in Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** Begins to count. Costs nothing where it is not called. */
export function createMetrics({ database, memory }: Service): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const { connections } = database
  if (connections) {
    new Gauge({
      name: 'cadastre_database_connections',
      help: 'Connections to the PostgreSQL server by state; waiting are requests without one.',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, count] of Object.entries(connections())) this.set({ state }, count)
      },
    })
  }
  new Gauge({
    name: 'cadastre_memory_kept',
    help: 'Answers of the database that are kept in memory.',
    registers,
    collect() {
      this.set(memory.statistics().kept)
    },
  })
  new Counter({
    name: 'cadastre_memory_lookups_total',
    help: 'Questions to that memory by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { hits, misses } = memory.statistics()
      this.reset()
      this.inc({ outcome: 'hit' }, hits)
      this.inc({ outcome: 'miss' }, misses)
    },
  })
  return {
    observer: requestObserver(registers),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function requestObserver(registers: Registry[]): Observer {
  const requests = new Counter({
    name: 'cadastre_http_requests_total',
    help: 'Requests answered, by method, pattern of the path and class of the status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'cadastre_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  })
  return (observed) => {
    const method = methodOf(observed)
    // Paths that lead nowhere are as many as clients make up: they count as one.
    const route = observed.pattern ?? 'none'
    requests.inc({ method, route, status: `${Math.trunc(observed.status / 100)}xx` })
    durations.observe({ method, route }, observed.milliseconds / 1000)
  }
}

const METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'],
])

/** Dozens of methods exist that nobody uses here. */
const methodOf = ({ method }: Observed): string => (METHODS.has(method) ? method : 'other')

/**
 * GET /metrics. The reference shows it to anybody; here only to users, unless the configuration says
 * otherwise: it tells what is asked for and how much there is.
 */
export const metricsEndpoint = (metrics: Metrics, loginRequired: boolean): Endpoint => ({
  name: 'Metrics',
  description: 'Figures for Prometheus.',
  isPublic: !loginRequired,
  isFile: true,
  negotiates: true,
  methods: {
    GET: async (request) => {
      if (loginRequired) requireUser(request)
      return { status: 200, body: await metrics.text(), type: metrics.contentType }
    },
  },
})
