import { ConstraintViolation, StatementFailed } from '../db/failures.ts'
import { NotReady } from '../schema/rule.ts'
import type { Service } from '../service.ts'
import { Assumptions, WrongAssumption } from './assumptions.ts'
import type { WriteContext, WriteRequest } from './context.ts'
import { rehearse } from './dry-run/rehearse.ts'
import { inTransaction, type Write } from './transaction.ts'

/** Runs `work` in a transaction of its own and returns its result. As `writeAndRead`, without a response to read. */
export const runWrite = <T>(
  service: Service,
  request: WriteRequest,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => writeAndRead(service, request, { work, read: async (_source, done) => done })

/** PostgreSQL's deadlock_detected: one of the deadlocked transactions is rolled back. */
const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 3

/**
 * Runs a write in a transaction of its own and returns its response. Throws ApiError if the work or a constraint
 * refuses; then nothing has changed. A dry run changes nothing either.
 *
 * The first attempt makes assumptions; if one does not hold, nothing was saved and the next attempt checks everything
 * before it saves. A transaction that was rolled back because of a deadlock, because an id was taken, or because a rule
 * was not ready, is repeated, three attempts in all.
 */
export async function writeAndRead<Done, T>(
  service: Service,
  request: WriteRequest,
  write: Write<Done, T>,
): Promise<T> {
  const { dryRun } = request
  // Everything is written in the form of the declarations; only the response has the form of the request's API version.
  const current = service.latest ?? service
  const inVersion: Write<Done, T> = { ...write, read: (source, done) => write.read({ ...source, service }, done) }
  let mayAssume = true
  for (let attempts = 1; ; attempts++) {
    const attempt = { ...request, assumptions: mayAssume ? new Assumptions() : undefined }
    try {
      return dryRun
        ? await rehearse(current, attempt, inVersion, dryRun)
        : await inTransaction(current, attempt, inVersion)
    } catch (error) {
      if (mayAssume && error instanceof WrongAssumption) {
        mayAssume = false
        continue
      }
      if (error instanceof NotReady) await error.ready
      else if (!isDeadlock(error) && !isIdTaken(error)) throw error
      if (attempts === MAX_ATTEMPTS) throw error
    }
  }
}

/** The result of a transaction, which is repeated if it was rolled back because of a deadlock, three attempts in all. */
export async function repeated<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await transaction()
    } catch (error) {
      if (!isDeadlock(error) || attempts === MAX_ATTEMPTS) throw error
    }
  }
}

const isDeadlock = (error: unknown): boolean => error instanceof StatementFailed && error.code === DEADLOCK

/** Another transaction has taken an id that this one wanted to use: PostgreSQL's unique_violation of a primary key. */
const isIdTaken = (error: unknown): boolean =>
  error instanceof ConstraintViolation && error.code === '23505' && error.constraint?.endsWith('_pkey') === true
