import { sightOf } from '../auth/restrict.ts'
import type { Service } from '../query/service.ts'
import { ConstraintViolation, StatementFailed } from '../storage/failures.ts'
import { currentMoment } from './clock.ts'
import type { WriteContext, WriteRequest } from './context.ts'
import { deliverEvents } from './events.ts'
import { MediaChanges, mediaDirectory } from './media.ts'
import { refusalOf } from './violation.ts'
import { makeWriter } from './writer.ts'

/** PostgreSQL's deadlock_detected: of two that wait for each other, this one was sent back. */
const DEADLOCK = '40P01'
const ATTEMPTS = 3

/** As `runOnce`; work that the database sent back to break a deadlock is done again. */
export async function runWrite<T>(
  service: Service,
  request: WriteRequest,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(service, request, work)
    } catch (error) {
      const mayRepeat = error instanceof StatementFailed && error.code === DEADLOCK
      if (!mayRepeat || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Runs `work` in one transaction and does what belongs around it: commit, or rollback when it throws;
 * then the memory forgets what was touched, and files follow. Throws ApiError for what the database's
 * own constraints refuse, so that two writers at once are answered like one after the other.
 */
async function runOnce<T>(
  service: Service,
  request: WriteRequest,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  const media = new MediaChanges(mediaDirectory(service.settings.dataDir))
  const touched = new Set<string>()
  try {
    const result = await service.database.transaction(async (transaction) => {
      const context: WriteContext = {
        ...request,
        service,
        transaction,
        now: currentMoment(),
        touched,
        media,
        recorded: { count: 0 },
        events: new Map(),
        makeWriter,
      }
      const done = await work(context)
      await deliverEvents(context)
      await transaction.announce(touched)
      return done
    })
    media.committed()
    return result
  } catch (error) {
    media.rolledBack()
    if (error instanceof ConstraintViolation)
      throw refusalOf(sightOf(request.actor, service.registry, service.settings), error) ?? error
    throw error
  } finally {
    // After a rollback too: what was loaded while the transaction ran may have seen its changes.
    service.memory.forget(touched)
  }
}
