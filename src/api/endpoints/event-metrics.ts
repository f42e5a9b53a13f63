import { Gauge, type Registry } from 'prom-client'
import { streamMetrics } from '../../changes/stream/stream-metrics.ts'
import type { Service } from '../../service.ts'

/** Gauges of the stream of events; `update` reads their values. */
export function eventMetrics(
  service: Pick<Service, 'database' | 'clock'>,
  registry: Registry,
): { readonly update: () => Promise<void> } {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const position = gauge('cadastre_events_position', 'Position of the last event of the stream.')
  const waiting = gauge(
    'cadastre_events_waiting',
    'Committed events that have no position yet, so that no client has got them.',
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
        // The other metrics are wanted most while the database is unreachable.
        for (const each of [position, waiting, lag]) each.remove()
      }
    },
  }
}
