import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../../db/database.ts'

/** Adds the metrics of the replicas that answer reads, if there are any. */
export function replicaMetrics({ replicas }: Database, registry: Registry): void {
  if (!replicas) return
  const registers = [registry]
  const labelNames = ['server'] as const
  new Gauge({
    name: 'cadastre_replica_used',
    help: 'Whether the replica answers reads: 0 while it is away, lags, or is on another timeline than the primary.',
    labelNames,
    registers,
    collect() {
      for (const { server, isUsed } of replicas.states) this.set({ server }, isUsed ? 1 : 0)
    },
  })
  new Gauge({
    name: 'cadastre_replica_lag_bytes',
    help: 'Bytes of the log that the replica had not replayed when it was asked last, at most a second ago.',
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
    help: 'Statements that the replica has answered.',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { server, answered } of replicas.states) this.inc({ server }, answered)
    },
  })
}
