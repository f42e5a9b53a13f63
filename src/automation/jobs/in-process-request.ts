import type { User } from '../../identity/actor.ts'
import type { Service } from '../../service.ts'

/** A request to the API that a job makes itself, on behalf of a user. */
export interface InProcessRequest {
  readonly service: Service
  readonly actor: User
  /** UUID, for the change records. */
  readonly id: string
  /** Scheme, host and base path of the URLs in the response. */
  readonly base: string
  readonly method: string
  /** Below the base path, with the query string. */
  readonly path: string
  /** Parsed JSON; undefined: none. */
  readonly body: unknown
  readonly signal: AbortSignal
}

export interface InProcessResponse {
  readonly status: number
  /** The body's text; undefined: none. */
  readonly body: string | undefined
}
