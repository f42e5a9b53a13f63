import { type Authentication, authenticate } from '../../auth/authenticate.ts'
import { findSession, renewSession } from '../../auth/session.ts'
import { csrfTokenOf } from '../../auth/session-key.ts'
import { isSafe } from '../transport/safe-methods.ts'
import type { Sender, Unidentified } from '../transport/sender.ts'
import { csrfCookie, csrfCookieOf, sessionCookies, sessionKeyOf } from './cookies.ts'
import { requireCsrf } from './csrf.ts'

/**
 * Who sent the request: the Authorization header says it, or else the cookie of a session. A cookie that
 * opens no session (any more) is as good as none. Throws `unauthenticated` for a token that is refused, and
 * `forbidden` where a session's request to change something may come from another site's page.
 */
export async function identify(
  authentication: Authentication,
  request: Unidentified,
): Promise<Sender> {
  const { headers, address } = request
  const actor = await authenticate(authentication, headers.authorization, address)
  if (actor.kind === 'user') return { actor }
  const key = sessionKeyOf(request)
  const session = key === undefined ? undefined : await findSession(authentication.service, key)
  if (key === undefined || !session) return { actor }
  const csrfToken = csrfTokenOf(key)
  if (!isSafe(request.method)) await requireCsrf(request, csrfToken)
  const isRenewed = await renewSession(authentication.service, session)
  return { actor: session.user, csrfToken, cookies: cookiesFor(request, key, isRenewed) }
}

/** The token's cookie is set again where the browser has lost it: scripts need it. */
function cookiesFor(request: Unidentified, key: string, isRenewed: boolean): readonly string[] {
  if (isRenewed) return sessionCookies(request, key)
  const token = csrfTokenOf(key)
  return csrfCookieOf(request) === token ? [] : [csrfCookie(request, token)]
}
