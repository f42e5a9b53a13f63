import type { ApiError } from '../base/errors.ts'
import type { Actor, User } from './actor.ts'
import { unauthenticated } from './credentials.ts'

/** The authenticated user. Throws `unauthenticated` for an anonymous request. */
export function requireUser({ actor }: { readonly actor: Actor }): User {
  if (actor.kind === 'anonymous') throw credentialsMissing()
  return actor
}

export const credentialsMissing = (): ApiError => unauthenticated('Authentication credentials were not provided.')
