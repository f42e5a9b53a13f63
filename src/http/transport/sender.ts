import type { Actor } from '../../auth/actor.ts'
import type { ApiRequest } from '../api-request.ts'

/** Who sent a request, and what their session, if they have one, brings along. */
export interface Sender {
  readonly actor: Actor
  /** What forms of the session send back; undefined where no session tells who it is. */
  readonly csrfToken?: string | undefined
  /** Values of Set-Cookie for the answer. */
  readonly cookies?: readonly string[]
}

export const NOBODY: Sender = { actor: { kind: 'anonymous' } }

/** A request whose sender is not known yet. */
export type Unidentified = Omit<ApiRequest, 'actor' | 'csrfToken'>
