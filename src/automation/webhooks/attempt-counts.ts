import { oncePer } from '../../schema/once-per.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'

/** Attempts of deliveries that this process has made, by outcome. */
export interface AttemptCounts {
  delivered: number
  failed: number
  dead: number
}

const countsOf = oncePer((_registry: Registry): AttemptCounts => ({ delivered: 0, failed: 0, dead: 0 }))

/** The counts of the service in this process, which the deliveries increase. */
export const attemptCountsOf = ({ registry }: Pick<Service, 'registry'>): AttemptCounts => countsOf(registry)
