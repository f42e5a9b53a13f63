import type { User } from '../identity/actor.ts'
import type { WriteRequest } from './context.ts'
import type { DryRun } from './dry-run/dry-run.ts'
import type { IdempotentWrite } from './idempotent-write.ts'

/** The parts of a request that a write needs. */
interface WritingRequest {
  readonly id: string
  readonly method: string
  readonly url: URL
  readonly dryRun?: DryRun | undefined
  readonly idempotentWrite?: IdempotentWrite | undefined
}

/** The author and the origin of a write for the request. */
export const writeRequestOf = (
  { id, method, url, dryRun, idempotentWrite }: WritingRequest,
  actor: User,
): WriteRequest => ({
  actor,
  requestId: id,
  origin: {
    ...{ method, path: url.pathname },
    ...(url.search !== '' && { GET: Object.fromEntries(url.searchParams) }),
  },
  dryRun,
  idempotentWrite,
})
