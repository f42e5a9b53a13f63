import type { User } from '../../auth/actor.ts'
import type { WriteRequest } from '../../write/context.ts'
import type { ApiRequest } from '../api-request.ts'

/** The author and the origin of a write that the request asks for. */
export const writeRequestOf = ({ id, method, url }: ApiRequest, actor: User): WriteRequest => ({
  actor,
  requestId: id,
  origin: { method, path: url.pathname },
})
