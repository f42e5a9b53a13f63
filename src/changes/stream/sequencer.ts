import { correctTimestamps } from '../../db/versions/number.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { systemTable, table } from '../../sql/table.ts'
import { watchUrgentEvents } from '../../write/record/urgent-events.ts'
import type { BackgroundWork } from '../background/background.ts'
import { eventStreamOf } from './event-stream.ts'
import { Pace } from './pace.ts'

/** Rows of events that get their positions in one statement. */
const MOST_AT_ONCE = 5_000

/** Milliseconds after which a turn runs without a reported commit, in case a report was lost. */
const IDLE = 5_000

/** Background work that gives committed events their positions and wakes the readers of the stream. */
export function sequencer(service: Service): BackgroundWork {
  const stream = eventStreamOf(service)
  /** Undefined in a program without loops, whose turns are not timed. */
  let pace: Pace | undefined
  /** Whether events for rules were stored since the last turn. */
  let isHurried = false
  return {
    name: 'the sequencer of events',
    idleMs: IDLE,
    wokenBy: [SYSTEM.event],
    watch: (wake) => {
      const ofLoop = new Pace(wake)
      stream.watchWaiting(() => ofLoop.hurry())
      watchUrgentEvents(service, () => {
        isHurried = true
        ofLoop.hurry()
      })
      pace = ofLoop
    },
    turn: async () => {
      if (pace && !pace.isDue(isHurried || stream.waiting > 0)) return 'idle'
      isHurried = false
      const { last, count } = await givePositions(service)
      stream.advance(last)
      const isMore = count === MOST_AT_ONCE
      pace?.ended(isMore ? 'more' : count > 0 ? 'work' : 'nothing')
      return isMore ? 'again' : 'idle'
    },
  }
}

/** The last position of the stream, and the number of rows whose events have just been numbered. */
export interface Sequenced {
  readonly last: number
  readonly count: number
}

/**
 * Numbers the committed events without positions, in the order of their rows' ids. The positions have no gaps: one
 * transaction at a time continues from the last committed position, so a rollback or a crash leaves nothing behind. Ids
 * alone would not be enough: they are assigned before the commit, so a reader that pages by id would miss the rows of
 * slower transactions. Since this runs after each write, it also corrects the times of transactions when the clock has
 * been set back.
 */
export const givePositions = ({ database, registry }: Pick<Service, 'database' | 'registry'>): Promise<Sequenced> =>
  database.transaction(async (transaction) => {
    // The next statement sees what the previous holder of the lock has committed.
    transaction.send(volatile`select pg_advisory_xact_lock(hashtextextended('cadastre event positions', 0))`)
    const model = registry.model(SYSTEM.event)
    const events = table(model)
    // Not `updateTable`: other processes are not notified of positions. Each process is notified of the new events,
    // runs a turn and waits for the lock, so that it finds the positions that another process has assigned.
    const [row] = await transaction.query<{ last: number; count: number }>(sql`
      with corrected as (${correctTimestamps}),
      given as (select coalesce(max(position), 0) as last from ${events}),
      waiting as (
        select id, sum(count) over (order by id) as place
        from (select id, count from ${events} where position is null order by id limit ${MOST_AT_ONCE}) w
      ),
      numbered as (
        update ${systemTable(model.table)} e set position = given.last + waiting.place
        from given, waiting where e.id = waiting.id
        returning e.position
      )
      select coalesce(max(numbered.position), max(given.last)) as last, count(numbered.position) as count
      from given left join numbered on true`)
    return row ?? { last: 0, count: 0 }
  })
