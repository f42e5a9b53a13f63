import { currentTimestamp } from '../clock.ts'
import { ConstraintViolation } from '../db/failures.ts'
import { ApiError } from '../errors.ts'
import type { User } from '../identity/actor.ts'
import { rowSecurityOf } from '../identity/permitted-rows.ts'
import { dataWithin, type ReadSource } from '../read/serialise/read-source.ts'
import type { Service } from '../service.ts'
import { WrongAssumption } from './assumptions.ts'
import type { WriteContext, WriteRequest } from './context.ts'
import { mediaStore } from './media/media-store.ts'
import { TransactionFiles } from './media/transaction-files.ts'
import { FoundIds } from './parse/found-ids.ts'
import { Journal } from './record/journal.ts'
import { refusalOf } from './validate/violation.ts'
import { makeWriter } from './writer.ts'

/** A write and the reading of its response. */
export interface Write<Done, T> {
  /** Validates and saves. */
  work(context: WriteContext): Promise<Done>
  /** Reads the response; must not refuse anything. */
  read(source: ReadSource, done: Done): Promise<T>
}

/**
 * Runs a write in one transaction: commits, or rolls back when the work throws. Uploaded files are stored before the
 * transaction that commits; afterwards files of deleted or rolled back objects are removed. Violations of database
 * constraints become ApiError, so that two concurrent writers get the same responses as consecutive ones.
 */
export async function inTransaction<Done, T>(
  service: Service,
  request: WriteRequest & Pick<WriteContext, 'assumptions'>,
  { work, read }: Write<Done, T>,
): Promise<T> {
  const media = new TransactionFiles(mediaStore(service.settings))
  let isCommitting = false
  const attempt = () =>
    service.database.transaction(async (transaction) => {
      const now = currentTimestamp(service.clock)
      const context = openContext(service, request, {
        ...{ transaction, media, now, wouldChange: undefined },
      })
      await request.idempotentWrite?.claim(transaction)
      const done = await withAssumptions(context, work)
      await context.journal.publish()
      const response = await read(sourceWithin(context), done)
      await request.idempotentWrite?.record(transaction, response)
      isCommitting = true
      return response
    })
  return await refusing(service, request.actor, async () => {
    try {
      const response = await media.run(attempt)
      await media.committed()
      return response
    } catch (error) {
      // If the connection is lost during the commit, nobody knows whether the rows with the paths have been stored.
      if (!isCommitting || !isUnavailable(error)) await media.rolledBack()
      throw error
    }
  })
}

const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.reason.kind === 'unavailable'

/** The data from which the response to a write is read, before its commit. */
export const sourceWithin = ({ service, transaction }: WriteContext): ReadSource => dataWithin(service, transaction)

/** The initial state of a write. */
export const openContext = (
  service: Service,
  request: WriteRequest & Pick<WriteContext, 'assumptions'>,
  opened: Pick<WriteContext, 'transaction' | 'media' | 'now' | 'wouldChange'>,
): WriteContext => ({
  ...request,
  ...opened,
  service,
  security: rowSecurityOf(request.actor, service.registry, service.settings),
  found: new FoundIds(opened.transaction),
  journal: new Journal({ ...request, ...opened, service }),
  makeWriter,
})

/** Runs a transaction. Throws an ApiError for a violated database constraint, if it is a declared one. */
export async function refusing<T>({ registry, settings }: Service, actor: User, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error
    throw refusalOf(rowSecurityOf(actor, registry, settings), error) ?? error
  }
}

/**
 * Runs `work`. Discards the result or error of the work if it depends on an unchecked assumption, and throws
 * WrongAssumption.
 */
export async function withAssumptions<Done>(
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
