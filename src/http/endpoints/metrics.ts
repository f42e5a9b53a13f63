import cluster from 'node:cluster'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Service } from '../../service.ts'
import { requireUser } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Observer } from '../transport/observe.ts'
import { RequestFigures } from '../transport/request-figures.ts'

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
  // Workers share a port: without the label their counters would seem to jump from scrape to scrape.
  const labels: Readonly<Record<string, string>> = cluster.worker
    ? { worker: String(cluster.worker.id) }
    : {}
  registry.setDefaultLabels(labels)
  const figures = new RequestFigures(labels)
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
    observer: figures.observer,
    text: async () => `${await registry.metrics()}\n${figures.text()}`,
    contentType: registry.contentType,
  }
}

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
