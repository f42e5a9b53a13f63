import cluster from 'node:cluster'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { attemptCountsOf } from '../../automation/webhooks/attempt-counts.ts'
import { countDeliveries } from '../../automation/webhooks/delivery-counts.ts'
import { unhandledRejections } from '../../changes/background/unhandled-rejections.ts'
import { streamMetrics } from '../../changes/stream/stream-metrics.ts'
import type { Database } from '../../db/database.ts'
import { requireUser } from '../../identity/require-user.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { currentService, type Service } from '../../service.ts'
import { volatile } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { backupState } from '../../transfer/backup/scheduled-backup.ts'
import { callLogOf } from '../agents/call-log.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Observer } from '../transport/observe.ts'
import { RequestMetrics } from '../transport/request-metrics.ts'

/** Metrics of one running service. */
export interface Metrics {
  readonly observer: Observer
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** Starts counting. A service that never calls it has no overhead. */
export function createMetrics(service: Service): Metrics {
  const { database } = service
  const registry = new Registry()
  const registers = [registry]
  // Workers share a port: without the label their counters would seem to jump between scrapes.
  const labels: Readonly<Record<string, string>> = cluster.worker ? { worker: String(cluster.worker.id) } : {}
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
      this.set(currentService(service).cache.statistics().entries)
    },
  })
  new Gauge({
    name: 'cadastre_cache_bytes',
    help: 'Approximate size in bytes of the values in the cache; at most CACHE_SIZE.',
    registers,
    collect() {
      this.set(currentService(service).cache.statistics().bytes)
    },
  })
  new Counter({
    name: 'cadastre_cache_lookups_total',
    help: 'Lookups in the cache by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { hits, misses } = currentService(service).cache.statistics()
      this.reset()
      this.inc({ outcome: 'hit' }, hits)
      this.inc({ outcome: 'miss' }, misses)
    },
  })
  new Counter({
    name: 'cadastre_unhandled_rejections_total',
    help: 'Unhandled promise rejections; the log has each of them.',
    registers,
    collect() {
      this.reset()
      this.inc(unhandledRejections())
    },
  })
  new Counter({
    name: 'cadastre_agent_calls_total',
    help: 'Calls of tools at /mcp by tool and outcome.',
    labelNames: ['tool', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const { tool, outcome, calls } of callLogOf(service).counts) this.inc({ tool, outcome }, calls)
    },
  })
  replicaMetrics(database, registry)
  const events = eventMetrics(service, registry)
  const webhooks = webhookMetrics(service, registry)
  const findings = findingMetrics(service, registry)
  const backups = service.startSettings.backupSchedule && backupMetrics(service, registry)
  return {
    observer: requestMetrics.observer,
    text: async () => {
      await Promise.all([events.update(), webhooks.update(), findings.update(), backups?.update()])
      return `${await registry.metrics()}\n${requestMetrics.text()}`
    },
    contentType: registry.contentType,
  }
}

/**
 * GET /metrics. NetBox serves it to every client; here only users may read it unless the configuration allows
 * more, because it reveals which endpoints are used and how many objects there are.
 */
export const metricsEndpoint = (metrics: Metrics, loginRequired: boolean): Endpoint => ({
  name: 'Metrics',
  description: 'Figures for Prometheus.',
  ...(!loginRequired && { access: 'public' }),
  kind: 'file',
  methods: {
    GET: {
      handle: async (request) => {
        if (loginRequired) requireUser(request)
        return { status: 200, body: await metrics.text(), type: metrics.contentType }
      },
    },
  },
})

/** Gauges of the stream of events; `update` reads their values. */
function eventMetrics(
  service: Pick<Service, 'database' | 'clock'>,
  registry: Registry,
): { readonly update: () => Promise<void> } {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const position = gauge('cadastre_events_position', 'Position of the last event of the stream.')
  const waiting = gauge(
    'cadastre_events_waiting',
    'Committed events that have no position yet, so that no client has received them.',
  )
  const lag = gauge(
    'cadastre_events_lag_seconds',
    'Age of the first event that has no position yet; 0 without such an event.',
  )
  return {
    update: async () => {
      try {
        const metrics = await streamMetrics(service)
        position.set(metrics.position)
        waiting.set(metrics.waiting)
        lag.set(metrics.lag)
      } catch {
        // The other metrics matter most while the database is unreachable.
        for (const metric of [position, waiting, lag]) metric.remove()
      }
    },
  }
}

/** Metrics of the backups that the service makes; `update` reads them. */
function backupMetrics({ database }: Service, registry: Registry): { readonly update: () => Promise<void> } {
  const registers = [registry]
  const success = new Gauge({
    name: 'cadastre_backup_last_success_timestamp_seconds',
    help: 'End of the last scheduled backup that succeeded, in seconds since 1970; 0 if there is none.',
    registers,
  })
  const failed = new Gauge({
    name: 'cadastre_backup_failed',
    help: 'Whether the last scheduled backup failed.',
    registers,
  })
  return {
    update: async () => {
      try {
        const { lastSuccess = 0, hasFailed } = await backupState(database)
        success.set(lastSuccess / 1_000)
        failed.set(hasFailed ? 1 : 0)
      } catch {
        // The other metrics matter most while the database is unreachable.
        for (const metric of [success, failed]) metric.remove()
      }
    },
  }
}

/** Adds the metrics of the replicas that serve reads, if there are any. */
function replicaMetrics({ replicas }: Database, registry: Registry): void {
  if (!replicas) return
  const registers = [registry]
  const labelNames = ['server'] as const
  new Gauge({
    name: 'cadastre_replica_used',
    help: 'Whether the replica serves reads: 0 if it is unreachable, lags behind, or is on another timeline than the primary.',
    labelNames,
    registers,
    collect() {
      for (const { server, isUsed } of replicas.states) this.set({ server }, isUsed ? 1 : 0)
    },
  })
  new Gauge({
    name: 'cadastre_replica_lag_bytes',
    help: 'Bytes of the log that the replica had not replayed at the last check, at most a second ago.',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { server, lag } of replicas.states) {
        if (lag !== undefined) this.set({ server }, lag)
      }
    },
  })
  new Counter({
    name: 'cadastre_replica_statements_total',
    help: 'Statements that the replica has executed.',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { server, answered } of replicas.states) this.inc({ server }, answered)
    },
  })
}

/** The number of findings that nobody has accepted; `update` reads it. */
function findingMetrics({ database }: Service, registry: Registry): { readonly update: () => Promise<void> } {
  const findings = new Gauge({
    name: 'cadastre_findings',
    help: 'Objects that break a rule, without accepted ones.',
    labelNames: ['severity'],
    registers: [registry],
  })
  return {
    update: async () => {
      findings.reset()
      const rows = await database
        .query<{ severity: string; count: number }>(volatile`
          select r.severity, count(*) as count
          from ${table(SYSTEM.finding)} f join ${table(SYSTEM.rule)} r on r.id = f.rule_id
          where f.accepted_until is null or f.accepted_until < now() group by 1`)
        // As for webhooks.
        .catch(() => [])
      for (const { severity, count } of rows) findings.set({ severity }, count)
    },
  }
}

/** Metrics of webhook deliveries; `update` reads the ones stored in the database. */
function webhookMetrics(service: Service, registry: Registry): { readonly update: () => Promise<void> } {
  const registers = [registry]
  new Counter({
    name: 'cadastre_webhook_attempts_total',
    help: 'Attempts of webhook deliveries by outcome; dead: failed, and no other attempt follows.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(attemptCountsOf(service))) {
        this.inc({ outcome }, count)
      }
    },
  })
  const deliveries = new Gauge({
    name: 'cadastre_webhook_deliveries',
    help: 'Webhook deliveries that are queued or repeated after a failure, and dead ones of the last week.',
    labelNames: ['status'],
    registers,
  })
  const lag = new Gauge({
    name: 'cadastre_webhook_lag_seconds',
    help: 'Seconds since the oldest due webhook delivery could have been sent; 0 if none is due.',
    registers,
  })
  return {
    update: async () => {
      try {
        const counts = await countDeliveries(service)
        for (const status of ['queued', 'retrying', 'dead'] as const) {
          deliveries.set({ status }, counts[status])
        }
        lag.set(counts.lag)
      } catch {
        // The other metrics matter most while the database is unreachable.
        deliveries.reset()
        lag.remove()
      }
    },
  }
}
