import type { Actor, User } from '../auth/actor.ts'
import { unauthenticated } from '../auth/credentials.ts'
import type { Service } from '../service.ts'
import type { RequestBody } from './transport/body.ts'

/** A request on its way through the service. */
export interface ApiRequest {
  readonly service: Service
  readonly actor: Actor
  /** What forms of the sender's session send back; absent where no session tells who it is. */
  readonly csrfToken?: string | undefined
  /** UUID of the request, for X-Request-ID and change records. */
  readonly id: string
  readonly method: string
  /** The client's, or that which a trusted proxy names; undefined when unknown. */
  readonly address: string | undefined
  /** Scheme, host and base path as the client sees them; no slash at the end. */
  readonly base: string
  /** The whole address as the client sees it. */
  readonly url: URL
  /** Parsed once, with repeated names. */
  readonly search: URLSearchParams
  /** Segments of the path that stand for something: the id of a detail. */
  readonly parameters: readonly string[]
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: RequestBody
  /** Signal that is aborted when the client has gone or has waited too long; for work that would be in vain then. */
  readonly signal: () => AbortSignal
}

/** The user who asks. Throws `unauthenticated` for nobody. */
export function requireUser({ actor }: Pick<ApiRequest, 'actor'>): User {
  if (actor.kind === 'anonymous') throw credentialsMissing()
  return actor
}

export const credentialsMissing = () =>
  unauthenticated('Authentication credentials were not provided.')

/** The last of the values of a parameter, as clients expect of one that may not be repeated. */
export const lastValue = (search: URLSearchParams, name: string): string | undefined =>
  search.getAll(name).at(-1)
