import type { Service } from '../service.ts'
import type { WriteContext, WriteRequest } from './context.ts'
import { rehearse } from './dry-run/rehearse.ts'
import { withRetries } from './retry.ts'
import { inTransaction, type Write } from './transaction.ts'

/** Runs `work` in a transaction of its own and returns its result. As `writeAndRead`, without a response to read. */
export const runWrite = <T>(
  service: Service,
  request: WriteRequest,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => writeAndRead(service, request, { work, read: async (_source, done) => done })

/**
 * Runs a write in a transaction of its own and returns its response. Throws ApiError where the work
 * or a constraint refuses; then nothing has changed. A dry run changes nothing either.
 */
export async function writeAndRead<Done, T>(
  service: Service,
  request: WriteRequest,
  write: Write<Done, T>,
): Promise<T> {
  const { dryRun } = request
  return await withRetries((assumptions) =>
    dryRun
      ? rehearse(service, { ...request, assumptions }, write, dryRun)
      : inTransaction(service, { ...request, assumptions }, write),
  )
}
