import { Counter, Gauge, type Registry } from 'prom-client'
import { attemptCountsOf } from '../../automation/webhooks/attempt-counts.ts'
import { countDeliveries } from '../../automation/webhooks/delivery-counts.ts'
import type { Service } from '../../service.ts'

/** Metrics of webhook deliveries; `update` reads those that are in the database. */
export function webhookMetrics(
  service: Service,
  registry: Registry,
): { readonly update: () => Promise<void> } {
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
    help: 'Seconds since the oldest due webhook delivery could have been sent; 0 where none is due.',
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
        // The other metrics are wanted most while the database is unreachable.
        deliveries.reset()
        lag.remove()
      }
    },
  }
}
