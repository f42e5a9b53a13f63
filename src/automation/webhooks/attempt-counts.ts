import { stateOfService } from '../../service.ts'

/** Attempts of deliveries that this process has made, by outcome. */
interface AttemptCounts {
  delivered: number
  failed: number
  dead: number
}

/** The counts of the service in this process, which the deliveries increase. */
export const attemptCountsOf = stateOfService((): AttemptCounts => ({ delivered: 0, failed: 0, dead: 0 }))
