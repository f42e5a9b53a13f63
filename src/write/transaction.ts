import { currentTimestamp } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { ConstraintViolation } from '../db/failures.ts'
import type { User } from '../identity/actor.ts'
import { rowSecurityOf } from '../identity/permitted-rows.ts'
import { dataWithin, type ReadSource } from '../read/serialise/read-source.ts'
import type { Service } from '../service.ts'
import { WrongAssumption } from './assumptions.ts'
import type { WriteContext, WriteRequest } from './context.ts'
import { defineCustomModels } from './define-custom-models.ts'
import { mediaStore } from './media/media-store.ts'
import { TransactionFiles } from './media/transaction-files.ts'
import { FoundIds } from './parse/found-ids.ts'
import { Journal } from './record/journal.ts'
import { refuseAffected } from './validate/refusing-rules.ts'
import { refusalOf } from './validate/violation.ts'
import { watchRules } from './watch-rules.ts'
import { makeWriter } from './writer.ts'

/** A write and the reading of its response. */
export interface Write<Done, T> {
  /** Validates and saves. */
  work(context: WriteContext): Promise<Done>
  /** Reads the response; must not refuse anything. */
  read(source: ReadSource, done: Done): Promise<T>
}

/** One attempt of a write. */
export type AttemptedWrite = WriteRequest & Pick<WriteContext, 'assumptions'>

/**
 * Runs a write in one transaction: commits, or rolls back when the work throws. Uploaded files are stored before the
 * transaction that commits; afterwards files of deleted or rolled back objects are removed. Throws as `refused` says, so
 * that two concurrent writers get the same responses as consecutive ones.
 */
export async function inTransaction<Done, T>(
  service: Service,
  request: AttemptedWrite,
  { work, read }: Write<Done, T>,
): Promise<T> {
  const { idempotentWrite, actor } = request
  const media = new TransactionFiles(mediaStore(service.settings))
  let isCommitting = false
  try {
    const response = await media.run(() =>
      service.database.transaction(async (transaction) => {
        const context = openContext(service, request, { transaction, media, wouldChange: undefined })
        await idempotentWrite?.claim(transaction)
        const done = await perform(context, work)
        const response = await read(dataWithin(service, transaction), done)
        await idempotentWrite?.record(transaction, response)
        isCommitting = true
        return response
      }),
    )
    await media.committed()
    return response
  } catch (error) {
    // If the connection is lost during the commit, nobody knows whether the rows with the paths have been stored.
    if (!isCommitting || !isUnavailable(error)) await media.rolledBack()
    throw refused(service, actor, error)
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.reason.kind === 'unavailable'

/** The initial state of a write. */
export function openContext(
  service: Service,
  request: AttemptedWrite,
  opened: Pick<WriteContext, 'transaction' | 'media' | 'wouldChange'>,
): WriteContext {
  const write = { ...request, ...opened, service, now: currentTimestamp(service.clock) }
  return {
    ...write,
    security: rowSecurityOf(request.actor, service.registry, service.settings),
    found: new FoundIds(opened.transaction),
    journal: new Journal(write),
    endings: new Map(),
    makeWriter,
  }
}

/**
 * Runs `work` and publishes its events. Discards the result or error of the work if it depends on an unchecked
 * assumption, and throws WrongAssumption. `isPart`: more follows in the transaction, which then judges other objects
 * itself.
 */
export async function perform<Done>(
  context: WriteContext,
  work: (context: WriteContext) => Promise<Done>,
  { isPart = false } = {},
): Promise<Done> {
  const { assumptions, journal } = context
  let done: Done
  try {
    done = await work(context)
    await runEndings(context)
  } catch (error) {
    throw assumptions?.areOpen ? new WrongAssumption() : error
  }
  if (assumptions?.areOpen) throw new WrongAssumption()
  if (!isPart) await refuseAffected(context)
  await journal.publish()
  await defineCustomModels(context)
  await watchRules(context)
  return done
}

/** Runs what effects have left for the end. */
async function runEndings({ endings }: WriteContext): Promise<void> {
  for (const [name, { parts, work }] of endings) {
    endings.delete(name)
    await work(parts.flat() as never[]) // collected under this name
  }
}

/** The error of a write for its user: an ApiError for a violated database constraint, if it is a declared one. */
export const refused = ({ registry, settings }: Service, actor: User, error: unknown): unknown =>
  error instanceof ConstraintViolation ? (refusalOf(rowSecurityOf(actor, registry, settings), error) ?? error) : error
