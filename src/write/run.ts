import { sightOf } from '../auth/restrict.ts'
import type { Service } from '../service.ts'
import type { Queryable } from '../sql/queryable.ts'
import { ConstraintViolation, isSkipped, StatementFailed } from '../storage/failures.ts'
import { Assumptions, WrongAssumption } from './assumptions.ts'
import { currentMoment } from './clock.ts'
import type { WriteContext, WriteRequest } from './context.ts'
import { deliverEvents } from './events.ts'
import { freshObjects } from './inserted.ts'
import { lasting } from './lasting.ts'
import { MediaChanges, mediaDirectory } from './media.ts'
import { refusalOf } from './violation.ts'
import { makeWriter } from './writer.ts'

/** PostgreSQL's deadlock_detected: of two that wait for each other, this one was sent back. */
const DEADLOCK = '40P01'
const ATTEMPTS = 3

/** Makes an answer of what was done. */
type ReadBack<Done, T> = (queryable: Queryable, done: Done) => Promise<T>

/** As `runOnce`; work that the database sent back to break a deadlock is done again. */
export const runWrite = <T>(
  service: Service,
  request: WriteRequest,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => writeAndRead(service, request, work, async (_queryable, done) => done)

/**
 * As `runWrite`; answers what `read` makes of what was done. What it asks at once goes out together with the commit and sees
 * what the transaction saw, the rest is asked after it: nothing may be refused any more.
 */
export async function writeAndRead<Done, T>(
  service: Service,
  request: WriteRequest,
  work: (context: WriteContext) => Promise<Done>,
  read: ReadBack<Done, T>,
): Promise<T> {
  const { answer } = await runUntilDone(service, request, work, read)
  return await answer
}

/** The answer to work that has been committed; it may still fail to be read. */
interface Reading<T> {
  readonly answer: Promise<T>
}

async function runUntilDone<Done, T>(
  service: Service,
  request: WriteRequest,
  work: (context: WriteContext) => Promise<Done>,
  read: ReadBack<Done, T>,
): Promise<Reading<T>> {
  let assumptions: Assumptions | undefined = new Assumptions()
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(service, { ...request, assumptions }, work, read)
    } catch (error) {
      if (assumptions && error instanceof WrongAssumption) {
        assumptions = undefined
        continue
      }
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
async function runOnce<Done, T>(
  service: Service,
  request: WriteRequest & Pick<WriteContext, 'assumptions'>,
  work: (context: WriteContext) => Promise<Done>,
  read: ReadBack<Done, T>,
): Promise<Reading<T>> {
  const sight = sightOf(request.actor, service.registry, service.settings)
  const media = new MediaChanges(mediaDirectory(service.settings.dataDir))
  const touched = new Set<string>()
  const committed = Promise.withResolvers<void>()
  // Told by the failure itself.
  committed.promise.catch(() => undefined)
  const reading: { answer?: Promise<T> } = {}
  try {
    const committedReading = await service.database.transaction(async (transaction) => {
      const context: WriteContext = {
        ...request,
        service,
        sight,
        transaction,
        now: currentMoment(),
        touched,
        inserted: new Map(),
        media,
        recorded: { count: 0 },
        events: new Map(),
        makeWriter,
      }
      const done = await withAssumptions(context, work)
      await deliverEvents(context)
      await transaction.announce(touched)
      const queryable: Queryable = {
        ...lasting(transaction, service.database, committed.promise),
        fresh: freshObjects(context),
      }
      const answer = read(queryable, done)
      // Whoever waits for it is told, and else the commit tells.
      answer.catch(() => undefined)
      reading.answer = answer
      return { answer }
    })
    media.committed()
    committed.resolve()
    return committedReading
  } catch (failure) {
    committed.reject(failure)
    const error = await reasonOf(failure, reading.answer)
    media.rolledBack()
    if (error instanceof ConstraintViolation) throw refusalOf(sight, error) ?? error
    throw error
  } finally {
    // After a rollback too: what was loaded while the transaction ran may have seen its changes.
    service.memory.forget(touched)
  }
}

/**
 * Runs `work`. What comes out of it, be it a refusal, counts for nothing while it rests on something that no statement has
 * looked at.
 */
async function withAssumptions<Done>(
  context: WriteContext,
  work: (context: WriteContext) => Promise<Done>,
): Promise<Done> {
  const { assumptions } = context
  let done: Done
  try {
    done = await work(context)
  } catch (error) {
    throw assumptions?.areOpen ? new WrongAssumption() : error
  }
  if (assumptions?.areOpen) throw new WrongAssumption()
  return done
}

/** Why nothing was committed: a question of the reading is the reason where it failed by itself, before the commit. */
async function reasonOf(failure: unknown, reading: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await reading
    return failure
  } catch (reason) {
    return isSkipped(reason) ? failure : reason
  }
}
