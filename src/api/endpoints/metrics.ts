import cluster from 'node:cluster'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { unhandledRejections } from '../../changes/background/unhandled-rejections.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { Service } from '../../service.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Observer } from '../transport/observe.ts'
import { RequestMetrics } from '../transport/request-metrics.ts'
import { eventMetrics } from './event-metrics.ts'
import { replicaMetrics } from './replica-metrics.ts'
import { webhookMetrics } from './webhook-metrics.ts'

/** Metrics of one running service. */
export interface Metrics {
  readonly observer: Observer
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** Starts counting. A service that never calls it has no overhead. */
export function createMetrics(service: Service): Metrics {
  const { database, cache } = service
  const registry = new Registry()
  const registers = [registry]
  // Workers share a port: without the label their counters would seem to jump between scrapes.
  const labels: Readonly<Record<string, string>> = cluster.worker
    ? { worker: String(cluster.worker.id) }
    : {}
  registry.setDefaultLabels(labels)
  const requestMetrics = new RequestMetrics(labels)
  collectDefaultMetrics({ register: registry })
  const { connections } = database
  if (connections) {
    new Gauge({
      name: 'cadastre_database_connections',
      help: 'Connections to the PostgreSQL server by state; waiting counts queries without a connection.',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, count] of Object.entries(connections())) this.set({ state }, count)
      },
    })
  }
  new Gauge({
    name: 'cadastre_cache_entries',
    help: 'Values in the cache.',
    registers,
    collect() {
      this.set(cache.statistics().entries)
    },
  })
  new Gauge({
    name: 'cadastre_cache_bytes',
    help: 'Bytes that the values in the cache take, about; at most CACHE_SIZE.',
    registers,
    collect() {
      this.set(cache.statistics().bytes)
    },
  })
  new Counter({
    name: 'cadastre_cache_lookups_total',
    help: 'Lookups in the cache by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { hits, misses } = cache.statistics()
      this.reset()
      this.inc({ outcome: 'hit' }, hits)
      this.inc({ outcome: 'miss' }, misses)
    },
  })
  new Counter({
    name: 'cadastre_unhandled_rejections_total',
    help: 'Promises that were rejected without anything awaiting them; the log has each of them.',
    registers,
    collect() {
      this.reset()
      this.inc(unhandledRejections())
    },
  })
  replicaMetrics(database, registry)
  const events = eventMetrics(service, registry)
  const webhooks = webhookMetrics(service, registry)
  return {
    observer: requestMetrics.observer,
    text: async () => {
      await Promise.all([events.update(), webhooks.update()])
      return `${await registry.metrics()}\n${requestMetrics.text()}`
    },
    contentType: registry.contentType,
  }
}

/**
 * GET /metrics. The reference serves it to every client; here only users may read it unless the configuration allows
 * more, because it reveals which endpoints are used and how many objects there are.
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
