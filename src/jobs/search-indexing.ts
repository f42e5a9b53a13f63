import type { BackgroundWork } from '../background/background.ts'
import { Pace, type Pauses } from '../background/pace.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { indexChanges, lastUnindexed } from '../search/complete-index.ts'
import type { Service } from '../service.ts'

/** Longest time between two turns, in milliseconds. */
const IDLE = 60_000

/** Nothing waits for a turn, since a search indexes by itself: changes of one second are indexed together. */
const PAUSES: Pauses = {
  more: { least: 0, most: 0 },
  work: { least: 1_000, most: 1_000 },
  nothing: { least: 1_000, most: 1_000 },
}

/** Background work that indexes committed changes for the search, so that few are left for a search to index. */
export function searchIndexing({ database, registry }: Service): BackgroundWork {
  /** Undefined in a program without loops, whose turns have no time. */
  let pace: Pace | undefined
  return {
    name: 'the indexing for the search',
    idleMs: IDLE,
    wokenBy: [SYSTEM.unindexedChange],
    watch: (wake) => {
      pace = new Pace(wake, PAUSES)
    },
    turn: async () => {
      if (pace && !(await pace.isDue(async () => true))) return 'idle'
      const last = await lastUnindexed(database)
      const isMore = last !== undefined && (await indexChanges(database, registry, last))
      pace?.ended(isMore ? 'more' : last === undefined ? 'nothing' : 'work')
      return isMore ? 'again' : 'idle'
    },
  }
}
