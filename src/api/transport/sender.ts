import { type Actor, ANONYMOUS } from '../../identity/actor.ts'
import type { ApiRequest } from '../api-request.ts'

/** The sender of a request, with the data of the session, if there is one. */
export interface Sender {
  readonly actor: Actor
  /** CSRF token of the session; undefined without a session. */
  readonly csrfToken?: string | undefined
  /** Values of Set-Cookie for the response. */
  readonly cookies?: readonly string[]
}

export const NOBODY: Sender = { actor: ANONYMOUS }

/** A request before authentication. */
export type Unidentified = Omit<ApiRequest, 'actor' | 'csrfToken'>
