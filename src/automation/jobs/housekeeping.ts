import type { BackgroundWork } from '../../changes/background/background.ts'
import type { Service } from '../../service.ts'
import { enqueueOnce } from './enqueue.ts'
import type { JobContext, JobKind } from './job-kind.ts'

/** Data that is deleted when it is old. */
export interface Pruner {
  /** The kind of rows that are deleted, in the plural: "expired sessions". */
  readonly subject: string
  /**
   * Deletes it and returns the number; undefined if the configuration keeps it forever. In small steps, until the
   * signal is aborted.
   */
  prune(service: Service, signal: AbortSignal): Promise<number | undefined>
}

const KIND = 'housekeeping'

/** The job that deletes old data, one pruner after the other. A failing pruner does not stop the others. */
export const housekeepingJob = (pruners: readonly Pruner[]): JobKind => ({
  name: KIND,
  run: async (context) => {
    const failures: unknown[] = []
    for (const pruner of pruners) {
      context.signal.throwIfAborted()
      try {
        await runPruner(context, pruner)
      } catch (error) {
        context.signal.throwIfAborted()
        context.log.error(`The ${pruner.subject} could not be deleted: ${String(error)}`)
        failures.push(error)
      }
    }
    context.signal.throwIfAborted()
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be deleted')
  },
})

async function runPruner({ service, log, signal }: JobContext, pruner: Pruner): Promise<void> {
  const count = await pruner.prune(service, signal)
  if (count === undefined) log.info(`The ${pruner.subject} are kept forever.`)
  else log.info(`Deleted ${count} ${pruner.subject}.`)
}

/** Milliseconds after the start at which the first housekeeping is due on a new database: it must not disturb the start. */
const FIRST = 3_600_000
const DAY_IN_MINUTES = 1_440
const LOOK = 600_000

/** Schedules housekeeping once a day. */
export function dailyHousekeeping(service: Service): BackgroundWork {
  const { clock, database } = service
  const started = clock.now()
  let isScheduled = false
  return {
    name: 'schedule of housekeeping',
    idleMs: LOOK,
    wokenBy: [],
    turn: async () => {
      if (isScheduled || clock.now() - started < FIRST) return 'idle'
      await database.transaction((transaction) =>
        enqueueOnce(transaction, service, {
          kind: KIND,
          name: 'System Housekeeping',
          user: 'service',
          queue: 'low',
          interval: DAY_IN_MINUTES,
          timeout: 24 * 3_600,
        }),
      )
      isScheduled = true
      return 'again'
    },
  }
}
