import type { Measurement } from '../result.ts'

/** A measurement with defaults for all fields that a test does not set. */
export const testMeasurement = (
  known: Partial<Measurement> & { readonly name: string },
): Measurement => ({
  connections: 1,
  varied: true,
  requests: 10,
  seconds: 1,
  rate: 10,
  median: 1,
  p95: 2,
  p99: 3,
  bytes: 100,
  serverCpu: null,
  databaseCpu: null,
  ...known,
})
