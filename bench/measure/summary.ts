import type { Measurement } from '../result.ts'
import { quantile } from './quantile.ts'
import type { CpuTimes } from './usage.ts'

/** Observations of one shape under one load. */
export interface Seen {
  readonly name: string
  readonly connections: number
  readonly varied: boolean
  /** Milliseconds of each response, in any order. */
  readonly times: readonly number[]
  /** From the first request to the last response. */
  readonly seconds: number
  readonly bytes: number
  readonly cpu: CpuTimes
}

export function summarise({ times, seconds, cpu, ...what }: Seen): Measurement {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    ...what,
    requests: times.length,
    seconds: rounded(seconds),
    rate: rounded(times.length / seconds),
    median: rounded(quantile(sorted, 0.5)),
    p95: rounded(quantile(sorted, 0.95)),
    p99: rounded(quantile(sorted, 0.99)),
    serverCpu: cpu.server === null ? null : rounded(cpu.server),
    databaseCpu: cpu.database === null ? null : rounded(cpu.database),
  }
}

/** Rounded to three decimals: the rest is noise. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000
