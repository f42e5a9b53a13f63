import { rowSecurityOf } from '../auth/permitted-rows.ts'
import { currentMoment } from '../clock.ts'
import { dataWithin, type ReadSource } from '../output/read-source.ts'
import type { Service } from '../service.ts'
import { ConstraintViolation } from '../storage/failures.ts'
import { WrongAssumption } from './assumptions.ts'
import type { WriteContext, WriteRequest } from './context.ts'
import { publishEvents } from './events.ts'
import { insertedObjects } from './inserted.ts'
import { MediaChanges, mediaDirectory } from './media.ts'
import { ReadAfterWrite } from './read-after-write.ts'
import { refusalOf } from './violation.ts'
import { makeWriter } from './writer.ts'

/** A write and the reading of its response. */
export interface Write<Done, T> {
  /** Validates and saves. */
  work(context: WriteContext): Promise<Done>
  /** Reads the response; must not refuse anything. */
  read(source: ReadSource, done: Done): Promise<T>
}

/** The response to a write that is committed; reading it may still fail. Wrapped so that returning it does not await it. */
export interface Committed<T> {
  readonly response: Promise<T>
}

/**
 * Runs a write in one transaction: commits, or rolls back when the work throws. Afterwards files
 * of deleted or rolled back objects are removed. Violations of database constraints become ApiError, so that a race of two
 * writers is answered as if they had come one after the other.
 */
export async function inTransaction<Done, T>(
  service: Service,
  request: WriteRequest & Pick<WriteContext, 'assumptions'>,
  { work, read }: Write<Done, T>,
): Promise<Committed<T>> {
  const security = rowSecurityOf(request.actor, service.registry, service.settings)
  const media = new MediaChanges(mediaDirectory(service.settings.dataDir))
  const reading = new ReadAfterWrite<T>()
  try {
    await service.database.transaction(async (transaction) => {
      const context: WriteContext = {
        ...request,
        service,
        security,
        transaction,
        now: currentMoment(service.clock),
        inserted: new Map(),
        media,
        recorded: { count: 0 },
        events: new Map(),
        named: new Set(),
        described: new Map(),
        departing: new Map(),
        departingViewers: new Map(),
        makeWriter,
      }
      const done = await withAssumptions(context, work)
      await publishEvents(context)
      const source = { ...dataWithin(service, transaction), inserted: insertedObjects(context) }
      reading.start(transaction, service.database, (database) =>
        read({ ...source, database }, done),
      )
    })
    media.committed()
    return { response: reading.commit() }
  } catch (failure) {
    const error = await reading.failure(failure)
    media.rolledBack()
    if (error instanceof ConstraintViolation) throw refusalOf(security, error) ?? error
    throw error
  }
}

/**
 * Runs `work`. Discards its result or error if that depends on an unchecked assumption: throws WrongAssumption then.
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
