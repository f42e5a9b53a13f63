import type { User } from '../identity/actor.ts'
import type { WriteRequest } from './context.ts'

/** The parts of a request that a write needs. */
interface WritingRequest extends Pick<WriteRequest, 'dryRun' | 'idempotentWrite'> {
  readonly id: string
  readonly method: string
  readonly url: URL
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
