import type { Service } from '../service.ts'

/** Attempts of deliveries that this process has made, by outcome. */
export interface AttemptCounts {
  delivered: number
  failed: number
  dead: number
}

const counts = new WeakMap<Service['registry'], AttemptCounts>()

/** The counts of the service in this process, which the deliveries increase. */
export function attemptCountsOf({ registry }: Pick<Service, 'registry'>): AttemptCounts {
  const known = counts.get(registry) ?? { delivered: 0, failed: 0, dead: 0 }
  counts.set(registry, known)
  return known
}
