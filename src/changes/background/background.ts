import type { ChangeLog } from '../../db/cache/change-log.ts'
import { type Loop, type LoopLog, startLoop, type TurnResult } from './loop.ts'

/** Work that one loop does. */
export interface BackgroundWork {
  /** For the log. */
  readonly name: string
  /** Longest time between two turns, in milliseconds. */
  readonly idleMs: number
  /** Models that wake the loop when one of their rows has changed, in this or another process. */
  readonly wokenBy: readonly string[]
  /** Called at the start: `wake` wakes the loop for reasons other than changes of a model. */
  watch?(wake: () => void): void
  turn(signal: AbortSignal): Promise<TurnResult>
}

/** All background work of one process. */
export interface Background {
  /** Starts one loop for each piece of work. */
  start(): void
  /**
   * Runs the turns of all work, one after the other, until none has anything left to do. `alias`: of the overlay row.
   */
  runUntilIdle(): Promise<void>
  /** Stops the loops; resolves when their turns have ended. */
  stop(): Promise<void>
}

/** The background work of a process, which has not started yet. */
export function createBackground(
  work: readonly BackgroundWork[],
  changes: Pick<ChangeLog, 'watch'>,
  log: LoopLog,
): Background {
  let loops: readonly Loop[] = []
  return {
    start: () => {
      loops = work.map((worker) => {
        const loop = startLoop({ ...worker, log, turn: (signal) => worker.turn(signal) })
        // After the response to the request that made the change.
        changes.watch(worker.wokenBy, () => setImmediate(() => loop.wake()))
        worker.watch?.(() => loop.wake())
        return loop
      })
    },
    runUntilIdle: () => runUntilIdle(work),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

async function runUntilIdle(work: readonly BackgroundWork[]): Promise<void> {
  const { signal } = new AbortController()
  let isIdle = false
  while (!isIdle) {
    isIdle = true
    for (const worker of work) {
      while ((await worker.turn(signal)) === 'again') isIdle = false
    }
  }
}
