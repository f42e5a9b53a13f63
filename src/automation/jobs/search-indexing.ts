import type { BackgroundWork } from '../../changes/background/background.ts'
import { indexChanges, lastUnindexed } from '../../read/search/complete-index.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { currentService, type Service } from '../../service.ts'

/** How busy the service is with requests. */
interface Requests {
  /** Milliseconds since the last request ended; 0 while any is in progress. */
  idleTime(): number
}

/** Longest time between two turns, in milliseconds. */
const PERIOD = 60_000
/** Milliseconds without requests after which the changes are indexed. */
const IDLE = 500
/** Maximum time in milliseconds that changes wait. */
const PATIENCE = 5_000

/**
 * Background work that indexes committed changes for the search, so that a search finds few left to index. It waits
 * until there are no requests, which it would slow down: nothing depends on it, and objects that change several times
 * meanwhile are indexed once.
 */
export function searchIndexing(service: Service, requests: Requests): BackgroundWork {
  const { database, clock } = service
  /** Undefined in a program without loops, whose turns are not timed. */
  let wakeLoop: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  /** Time since which changes may be waiting. */
  let since: number | undefined
  const isDue = (): boolean => {
    if (!wakeLoop) return true
    clearTimeout(timer)
    since ??= clock.now()
    const delay = Math.min(IDLE - requests.idleTime(), since + PATIENCE - clock.now())
    if (delay <= 0) return true
    timer = setTimeout(wakeLoop, delay).unref()
    return false
  }
  return {
    name: 'the indexing for the search',
    idleMs: PERIOD,
    wokenBy: [SYSTEM.unindexedChange],
    watch: (wake) => {
      wakeLoop = wake
    },
    turn: async () => {
      if (!isDue()) return 'idle'
      const last = await lastUnindexed(database)
      if (last !== undefined && (await indexChanges(database, currentService(service).registry, last))) return 'again'
      since = undefined
      return 'idle'
    },
  }
}
